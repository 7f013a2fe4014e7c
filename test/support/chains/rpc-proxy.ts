/**
 * A JSON-RPC proxy that misbehaves on demand, to stand between our code and a chain. A fault is set per method and hits
 * the whole HTTP exchange that holds such a call, as it would on a real network; a batch meets the fault of the first
 * of its calls that has one.
 */
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Posted, postJson } from '../../../local/processes/post.ts';
import { KEEP_ALIVE_MS } from '../../../local/solana/server/ports.ts';
import {
  createMemory,
  isAbout,
  isSend,
  LIES,
  lieAbout,
  type Call,
  type Lie,
  type Memory,
  type Reply,
} from './rpc-lies.ts';

export type RpcFault =
  /** The node does it, and nobody hears of it: the connection breaks instead of an answer. */
  | { kind: 'lose_reply' }
  /** The connection breaks before the node sees anything. */
  | { kind: 'drop' }
  /** HTTP 503; the node sees nothing. */
  | { kind: 'unavailable' }
  /** The node does it at once, the answer comes later. */
  | { kind: 'delay'; delayMs: number }
  /** HTTP 502 with a page; the node sees nothing. */
  | { kind: 'bad_gateway' }
  /** The connection stays open, and no answer ever comes. */
  | { kind: 'hang' }
  /** The node gets it twice. */
  | { kind: 'duplicate' }
  /** An answer that is not true. */
  | { kind: Lie };

export type RpcFaultKind = RpcFault['kind'];
export const RPC_FAULTS: readonly RpcFaultKind[] = [
  'lose_reply',
  'drop',
  'unavailable',
  'delay',
  'bad_gateway',
  'hang',
  'duplicate',
  ...LIES,
];

/** Answers which fault hits an exchange of these methods, if one does. */
export type Storm = (methods: readonly string[]) => RpcFault | null;

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
  hits: () => Record<RpcFaultKind, number>;
  /** From now on this decides what hits, where no fault was set; null ends it. */
  raise: (storm: Storm | null) => void;
  resetCalls: () => void;
  close: () => Promise<void>;
};

type Armed = { fault: RpcFault; left: number; fired: number };

export async function startRpcProxy(target: string): Promise<RpcProxy> {
  const armed = new Map<string, Armed>();
  const counts = new Map<string, number>();
  const hits = Object.fromEntries(RPC_FAULTS.map((kind) => [kind, 0])) as Record<RpcFaultKind, number>;
  const memory = createMemory();
  let storm: Storm | null = null;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const methods = methodsOf(body);
    for (const method of methods) counts.set(method, (counts.get(method) ?? 0) + 1);
    const fault = takeFault(armed, methods) ?? storm?.(methods) ?? null;
    const count = () => {
      if (fault !== null) hits[fault.kind] += 1;
    };
    if (!isLie(fault)) count();
    if (fault?.kind === 'drop') return void request.socket.destroy();
    if (fault?.kind === 'hang') return;
    const status = REFUSALS[fault?.kind ?? ''];
    if (status !== undefined) return void response.writeHead(status).end('service unavailable');
    // What the node never sees gets an answer all the same.
    if (fault?.kind === 'swallow' && methods.every(isSend)) {
      count();
      return void response.writeHead(200, JSON_TYPE).end(swallow(body, memory));
    }
    if (fault?.kind === 'duplicate') await forward(target, body);
    const answer = await forward(target, body);
    if (fault?.kind === 'delay') await sleep(fault.delayMs);
    if (fault?.kind === 'lose_reply' || answer === null) return void request.socket.destroy();
    const told = answer.status === 200 ? tell(body, answer.text, isLie(fault) ? fault.kind : null, memory) : null;
    if (told?.isLie === true) count();
    response.writeHead(answer.status, JSON_TYPE).end(told?.text ?? answer.text);
  }

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
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
    raise: (next) => void (storm = next),
    resetCalls: () => counts.clear(),
    async close() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

const JSON_TYPE = { 'content-type': 'application/json' };
const REFUSALS: Record<string, number> = { unavailable: 503, bad_gateway: 502 };
const isLie = (fault: RpcFault | null): fault is { kind: Lie } => LIES.some((lie) => lie === fault?.kind);

function swallow(body: string, memory: Memory): string {
  return eachReply(body, null, (call, reply) => lieAbout('swallow', call, reply, memory) ?? {});
}

/** What the node said, or the lie instead. Remembers what is true. */
function tell(body: string, text: string, lie: Lie | null, memory: Memory): { text: string; isLie: boolean } {
  let hasLied = false;
  const told = eachReply(body, text, (call, reply) => {
    const instead = lie === null || reply.error ? null : lieAbout(lie, call, reply, memory);
    memory.note(call, reply);
    if (instead !== null) hasLied = true;
    return instead ?? {};
  });
  return { text: hasLied ? told : text, isLie: hasLied };
}

/** The answer to each call of an exchange, changed. */
function eachReply(body: string, text: string | null, change: (call: Call, reply: Reply) => object): string {
  const asked: unknown = JSON.parse(body);
  const calls = (Array.isArray(asked) ? asked : [asked]) as Call[];
  const replies =
    text === null ? calls.map(({ id }): Reply => ({ jsonrpc: '2.0', id })) : ([JSON.parse(text)].flat() as Reply[]);
  const told = replies.map((reply) => {
    const call = calls.find(({ id }) => id === reply.id);
    return call === undefined ? reply : { ...reply, ...change(call, reply) };
  });
  return JSON.stringify(Array.isArray(asked) ? told : told[0]);
}

/** What can hit these methods: lies only where they are about one of them, and repetitions only of what is sent. */
export function possibleFaults(methods: readonly string[]): RpcFaultKind[] {
  return RPC_FAULTS.filter((kind) => {
    if (kind === 'duplicate') return methods.some(isSend);
    if (kind === 'swallow') return methods.every(isSend);
    const lie = LIES.find((one) => one === kind);
    return lie === undefined || methods.some((method) => isAbout(lie, method));
  });
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
const forward = (target: string, body: string): Promise<Posted | null> => postJson(target, body).catch(() => null);

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
