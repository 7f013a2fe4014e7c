import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure, failure } from '../forms/failure.ts';
import { formFailure } from '../forms/form.ts';
import type { World } from '../state/world.ts';
import { readBody } from './body.ts';
import { CALLBACK_ROUTES } from './callback-route.ts';
import { CHANNEL_ROUTES } from './channel-routes.ts';
import { COMMAND_ROUTES } from './command-routes.ts';
import type { Fault, Faults } from './faults.ts';
import { PLACE_ROUTES } from './place-routes.ts';
import { type Limited, type RateLimits } from './rate-limits.ts';
import { REACTION_ROUTES } from './reaction-routes.ts';
import { matchPath, type Reply, type Route } from './route.ts';
import { WEBHOOK_ROUTES } from './webhook-routes.ts';

const ROUTES: readonly Route[] = [
  ...CALLBACK_ROUTES,
  ...WEBHOOK_ROUTES,
  ...CHANNEL_ROUTES,
  ...REACTION_ROUTES,
  ...COMMAND_ROUTES,
  ...PLACE_ROUTES,
];

const BASE = '/api/v10';

/** One request and how it ended; status 0 means that no reply went out. */
export type LoggedRequest = {
  at: number;
  method: string;
  path: string;
  status: number;
  /** Discord's code of a refusal, and where the body was wrong. */
  code: number | null;
  errors: object | null;
};

export type Rest = {
  world: World;
  limits: RateLimits;
  faults: Faults;
  /** How long a request is on its way before it has an effect. */
  latency: { restMs: number };
  log: LoggedRequest[];
};

type Found = { route: Route; params: Record<string, string> };

export async function answerRequest(rest: Rest, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const method = request.method ?? 'GET';
  const path = url.pathname.startsWith(`${BASE}/`) ? url.pathname.slice(BASE.length) : url.pathname;
  const entry: LoggedRequest = { at: rest.world.now(), method, path, status: 0, code: null, errors: null };
  rest.log.push(entry);
  const send = (status: number, headers: Record<string, string>, body: unknown) => {
    entry.status = status;
    rest.world.changes.happened();
    if (body === undefined) response.writeHead(status, headers).end();
    else response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
  if (rest.latency.restMs > 0) await delay(rest.latency.restMs);

  let limitHeaders: Record<string, string> = {};
  try {
    const fault = rest.faults.strike(method, path);
    const { route, params } = findRoute(method, url.pathname);
    const owner = ownerOf(params);
    if (fault?.kind !== 'late' && fault !== null && !isAfter(fault)) return suffer(fault, response, send);
    checkAuth(rest.world, route, request);
    const limited = rest.limits.take(route.bucket, owner, route.auth === 'bot');
    limitHeaders = rest.limits.headers(route.bucket, owner);
    if (limited !== null) return sendLimited(limited, limitHeaders, send);
    checkQuery(route, url.searchParams);
    const { body, uploads } = await readBody(request, rest.world.settings.bodyBytesMax);
    if (fault?.kind === 'late') await fault.until;
    const reply: Reply = route.handle({ world: rest.world, params, query: url.searchParams, body, uploads });
    if (fault !== null && fault.kind !== 'late') return suffer(fault, response, send);
    send(reply.status, limitHeaders, reply.body);
  } catch (error) {
    const { status, code, message, errors } = error instanceof Failure ? error : new Failure(500, 0, String(error));
    entry.code = code;
    entry.errors = errors ?? (error instanceof Failure ? null : { stack: error instanceof Error ? error.stack : '' });
    send(status, limitHeaders, { message, code, ...(errors === null ? {} : { errors }) });
  }
}

function findRoute(method: string, pathname: string): Found {
  if (/^\/api(\/v(?!10\/)\d+)?\/(?!v10\/)/.test(pathname)) throw failure('invalidApiVersion');
  if (!pathname.startsWith(`${BASE}/`)) throw failure('notFound');
  const path = pathname.slice(BASE.length);
  let isKnown = false;
  for (const route of ROUTES) {
    const params = matchPath(route.path, path);
    if (params === null) continue;
    isKnown = true;
    if (route.method === method) return { route, params };
  }
  throw failure(isKnown ? 'methodNotAllowed' : 'notFound');
}

/** Channels, guilds and tokens have windows of their own; everything else shares one. */
function ownerOf(params: Record<string, string>): string {
  return params['channel'] ?? params['guild'] ?? params['token'] ?? '';
}

function checkAuth(world: World, route: Route, request: IncomingMessage): void {
  if (route.auth === 'bot' && request.headers.authorization !== `Bot ${world.settings.token}`) {
    throw failure('unauthorized');
  }
}

function checkQuery(route: Route, query: URLSearchParams): void {
  const unknown = [...query.keys()].filter((name) => !(route.query ?? []).includes(name));
  if (unknown.length > 0) {
    throw formFailure(
      unknown.map((name) => ({ path: [name], code: 'UNKNOWN_FIELD', message: 'Unknown query parameter.' })),
    );
  }
}

type Send = (status: number, headers: Record<string, string>, body: unknown) => void;

function isAfter(fault: Fault['what']): boolean {
  return fault.kind === 'lose-reply' || (fault.kind === 'status' && fault.after === true);
}

function suffer(fault: Fault['what'], response: ServerResponse, send: Send): void {
  switch (fault.kind) {
    case 'lose-reply':
    case 'lose-request':
      if (fault.how === 'reset') response.socket?.resetAndDestroy();
      else response.socket?.destroy();
      return;
    case 'hang':
    case 'late':
      return;
    case 'status':
      return send(fault.status, {}, { message: `${fault.status}: Server Error`, code: 0 });
    case 'rate-limit': {
      const scope = fault.scope ?? 'user';
      return sendLimited({ retryAfterMs: fault.retryAfterMs, isGlobal: scope === 'global' }, {}, send, scope);
    }
  }
}

function sendLimited(limited: Limited, headers: Record<string, string>, send: Send, scope = 'user'): void {
  const { retryAfterMs, isGlobal } = limited;
  const seconds = Math.max(0.001, retryAfterMs / 1000);
  send(
    429,
    {
      ...headers,
      'retry-after': String(Math.ceil(seconds)),
      'x-ratelimit-scope': isGlobal ? 'global' : scope,
      ...(isGlobal ? { 'x-ratelimit-global': 'true' } : {}),
    },
    { message: 'You are being rate limited.', retry_after: seconds, global: isGlobal },
  );
}
