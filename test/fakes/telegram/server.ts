/** The HTTP side: a path names token and method, a fault may break the exchange, every call is written down. */
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CallBody, readCall } from './body.ts';
import type { Call } from './call-log.ts';
import type { TelegramFault } from './faults.ts';
import type { Method } from './methods/method.ts';
import { findMethod } from './methods/table.ts';
import type { Platform } from './platform.ts';
import { Refusal, tooManyRequests } from './refusal.ts';

export type ServerOptions = { token: string; strict: boolean; port: number };

export type Server = {
  url: string;
  /** Breaks the connections of all polls under way; answers how many there were. */
  cutPolls: () => number;
  close: () => Promise<void>;
};

type Answer = { status: number; body: Record<string, unknown>; retryAfterSeconds: number | null };

export async function startServer(platform: Platform, options: ServerOptions): Promise<Server> {
  const polls = new Set<Socket>();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const arrivedAtMs = platform.world.nowMs();
    const route = readRoute(request, options.token);
    if (route instanceof Refusal) return send(response, toRefusal(route));
    const body = await bodyOf(request, route.query);
    const call = platform.log.begin(route.name, body instanceof Refusal ? {} : body.parameters, arrivedAtMs);
    const fault = platform.faults.take(route.name);
    if (fault && !(await letThrough(fault, call, response))) return;
    if (body instanceof Refusal) return finish(response, call, toRefusal(body));

    const isPoll = route.name === 'getUpdates';
    if (isPoll) polls.add(request.socket);
    const answer = await run(route.run, body, response, call);
    if (isPoll) polls.delete(request.socket);
    if (fault?.kind === 'delay') await sleep(fault.delayMs);
    if (fault?.kind === 'lose_reply') return cut(response, call, true);
    if (response.destroyed) return void (call.outcome = { kind: 'cut', done: answer.status === 200 });
    finish(response, call, answer);
  }

  async function run(method: Method, body: CallBody, response: ServerResponse, call: Call): Promise<Answer> {
    const hungUp = new AbortController();
    response.on('close', () => hungUp.abort());
    try {
      const context = { uploads: body.uploads, hungUp: hungUp.signal };
      // A copy: what was answered does not change when the message does.
      const result: unknown = structuredClone(await method(platform, body.parameters, options.strict, context));
      call.outcome = { kind: 'done', result };
      return { status: 200, body: { ok: true, result }, retryAfterSeconds: null };
    } catch (error) {
      if (error instanceof Refusal) return toRefusal(error);
      throw error;
    }
  }

  /** False when the fault has taken the call; otherwise the call goes on, and the fault comes after its effect. */
  async function letThrough(fault: TelegramFault, call: Call, response: ServerResponse): Promise<boolean> {
    if (fault.kind === 'drop') cut(response, call, false);
    else if (fault.kind === 'flood') finish(response, call, toRefusal(tooManyRequests(fault.retryAfterSeconds)));
    else if (fault.kind === 'status')
      finish(response, call, toRefusal(new Refusal(fault.status, 'Internal Server Error')));
    else return true;
    return false;
  }

  function cut(response: ServerResponse, call: Call, done: boolean): void {
    call.outcome = { kind: 'cut', done };
    response.destroy();
  }

  function finish(response: ServerResponse, call: Call, answer: Answer): void {
    if (answer.status !== 200) {
      call.outcome = { kind: 'refused', errorCode: answer.status, description: String(answer.body['description']) };
    }
    send(response, answer);
    call.answeredAtMs = platform.world.nowMs();
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      // A fault of this server itself: loud, so that nobody looks for it in the bot.
      console.error(error);
      response.destroy();
    });
  });
  // Longer than a poll: a connection that we close while the bot writes on it would look like a fault nobody asked for.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((listening) => server.listen(options.port, '127.0.0.1', listening));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutPolls() {
      const open = [...polls];
      for (const socket of open) socket.destroy();
      return open.length;
    },
    async close() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

type Route = { name: string; run: Method; query: URLSearchParams };

function readRoute(request: IncomingMessage, token: string): Route | Refusal {
  const url = new URL(request.url ?? '/', 'http://telegram');
  const match = /^\/bot([^/]+)\/([A-Za-z]+)\/?$/.exec(url.pathname);
  if (!match?.[1] || !match[2]) return new Refusal(404, 'Not Found');
  if (match[1] !== token) return new Refusal(401, 'Unauthorized');
  if (request.method !== 'POST' && request.method !== 'GET') return new Refusal(405, 'Method Not Allowed');
  const found = findMethod(match[2]);
  return found ? { ...found, query: url.searchParams } : new Refusal(404, 'Not Found: method not found');
}

async function bodyOf(request: IncomingMessage, query: URLSearchParams): Promise<CallBody | Refusal> {
  try {
    return await readCall(request, query);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function toRefusal({ errorCode, message, parameters }: Refusal): Answer {
  const hasParameters = Object.keys(parameters).length > 0;
  return {
    status: errorCode,
    body: { ok: false, error_code: errorCode, description: message, ...(hasParameters ? { parameters } : {}) },
    retryAfterSeconds: parameters.retry_after ?? null,
  };
}

function send(response: ServerResponse, { status, body, retryAfterSeconds }: Answer): void {
  const text = JSON.stringify(body);
  const length = String(Buffer.byteLength(text));
  // With its length, as the real one: the Node of Debian 13 and the fetch of grammY do not agree on answers without.
  const headers: Record<string, string> = { 'content-type': 'application/json', 'content-length': length };
  if (retryAfterSeconds !== null) headers['retry-after'] = String(retryAfterSeconds);
  response.writeHead(status, headers).end(text);
}
