/**
 * A JSON-RPC proxy that misbehaves on demand, to stand between our code and a chain. A fault is set per method and hits
 * the whole HTTP exchange that holds such a call, as it would on a real network; a batch meets the fault of the first
 * of its calls that has one.
 */
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export type RpcFault =
  /** The node does it, and nobody hears of it: the connection breaks instead of an answer. */
  | { kind: 'lose_reply' }
  /** The connection breaks before the node sees anything. */
  | { kind: 'drop' }
  /** HTTP 503; the node sees nothing. */
  | { kind: 'unavailable' }
  /** The node does it at once, the answer comes later. */
  | { kind: 'delay'; delayMs: number };

export type SetFault = {
  /** How many exchanges it has hit. Assert on it: a fault that never fired has tested nothing. */
  fired: () => number;
  heal: () => void;
};

export type RpcProxy = {
  url: string;
  /** Sets the fault of a method, or of every method with `*`, for its next `times` exchanges; replaces an earlier one. */
  fail: (method: string, fault: RpcFault, times?: number) => SetFault;
  /** Calls of a method that arrived here, whatever became of them; without a method, all of them. */
  calls: (method?: string) => number;
  /** How many exchanges each kind of fault has hit so far, set by any test. */
  hits: () => Record<RpcFault['kind'], number>;
  resetCalls: () => void;
  close: () => Promise<void>;
};

type Armed = { fault: RpcFault; left: number; fired: number };

export async function startRpcProxy(target: string): Promise<RpcProxy> {
  const armed = new Map<string, Armed>();
  const counts = new Map<string, number>();
  const hits = { lose_reply: 0, drop: 0, unavailable: 0, delay: 0 };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const methods = methodsOf(body);
    for (const method of methods) counts.set(method, (counts.get(method) ?? 0) + 1);
    const fault = takeFault(armed, methods);
    if (fault !== null) hits[fault.kind] += 1;
    if (fault?.kind === 'drop') return void request.socket.destroy();
    if (fault?.kind === 'unavailable') return void response.writeHead(503).end('service unavailable');
    const answer = await forward(target, body);
    if (fault?.kind === 'delay') await sleep(fault.delayMs);
    if (fault?.kind === 'lose_reply' || answer === null) return void request.socket.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fail(method, fault, times = Number.POSITIVE_INFINITY) {
      const entry: Armed = { fault, left: times, fired: 0 };
      armed.set(method, entry);
      return { fired: () => entry.fired, heal: () => void (entry.left = 0) };
    },
    calls: (method) =>
      method === undefined ? [...counts.values()].reduce((sum, count) => sum + count, 0) : (counts.get(method) ?? 0),
    hits: () => ({ ...hits }),
    resetCalls: () => counts.clear(),
    async close() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

function takeFault(armed: Map<string, Armed>, methods: string[]): RpcFault | null {
  for (const method of methods) {
    for (const name of [method, '*']) {
      const entry = armed.get(name);
      if (!entry || entry.left <= 0) continue;
      entry.left -= 1;
      entry.fired += 1;
      return entry.fault;
    }
  }
  return null;
}

function methodsOf(body: string): string[] {
  const parsed: unknown = JSON.parse(body);
  const calls = Array.isArray(parsed) ? parsed : [parsed];
  return calls.map((call: { method?: unknown }) => String(call.method));
}

/** Null when the node itself is away: the caller then sees a broken connection, as it would without us. */
async function forward(target: string, body: string): Promise<{ status: number; text: string } | null> {
  try {
    const answer = await fetch(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return { status: answer.status, text: await answer.text() };
  } catch {
    return null;
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
