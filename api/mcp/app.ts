import { Hono, type Context } from 'hono';
import { CATALOG_ROWS } from '../../core/catalog/operations.ts';
import type { NamedRow } from '../../core/catalog/row.ts';
import { AppError } from '../../core/errors.ts';
import { allowAnyOrigin } from '../http/cors.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { refuseOverLimit } from '../payments/caller-limit.ts';
import { connectionOf, handOver } from '../payments/delivery.ts';
import type { ApiEnv } from '../http/env.ts';
import { routeOf } from '../http/route.ts';
import { nameRequests } from '../environment/request-id.ts';
import { answerError, answerJson, answerRefusal } from './answers.ts';
import { callTool } from './call.ts';
import { exchange, type Answered } from './exchange.ts';
import { allowMcpHeaders } from './headers.ts';
import { readBody, readId, readMessage, type Message } from './message.ts';
import { proofIn } from './proof.ts';
import { isRecord } from './record.ts';
import { METHOD_NOT_FOUND } from './refusal.ts';
import { createServer, INTERFACE_VERSION, type Log } from './server.ts';
import { SERVER_CARD_PATHS, SERVER_CARD_TYPE, toServerCard } from './server-card.ts';
import { createToolbox, type Toolbox } from './tools.ts';

const PATH = '/mcp';

/**
 * `POST /mcp`: the tools of the catalog over the Model Context Protocol, and over plain JSON-RPC. Each message stands
 * for itself: no sessions, no streams, and no state between two messages.
 */
export function createMcpApp(dependencies: ApiDependencies, rows: readonly NamedRow[] = CATALOG_ROWS): Hono<ApiEnv> {
  const toolbox = createToolbox(dependencies.identity.platforms, rows);
  const app = new Hono<ApiEnv>();
  app.use(PATH, nameRequests(dependencies), allowMcpHeaders, allowAnyOrigin('GET, POST, OPTIONS'));
  app.post(PATH, (c) => serve(c, dependencies, toolbox));
  // GET and DELETE are for streams of the server's own and for ending sessions; we have neither.
  app.all(PATH, (c) => {
    c.header('Allow', 'POST, OPTIONS');
    throw new AppError('method_not_allowed', { detail: 'This address takes POST: it speaks MCP, JSON-RPC 2.0.' });
  });
  serveCard(app, dependencies);
  app.onError((error, c) => answerError(c, dependencies, error, null));
  return app;
}

function serveCard(app: Hono<ApiEnv>, dependencies: Pick<ApiDependencies, 'settings' | 'ids'>): void {
  const card = JSON.stringify(toServerCard(dependencies.settings.baseUrl, INTERFACE_VERSION));
  for (const path of SERVER_CARD_PATHS) {
    app.use(path, nameRequests(dependencies), allowAnyOrigin('GET, HEAD, OPTIONS'));
    app.get(path, (c) => {
      const type = c.req.header('Accept')?.includes(SERVER_CARD_TYPE) ? SERVER_CARD_TYPE : 'application/json';
      return c.body(card, 200, { 'Content-Type': type, 'Cache-Control': 'public, max-age=3600' });
    });
  }
}

async function serve(c: Context<ApiEnv>, dependencies: ApiDependencies, toolbox: Toolbox): Promise<Response> {
  let body: unknown;
  try {
    body = await readBody(c.req.raw);
    const message = readMessage(body);
    await refuseOverLimit(c, dependencies, () => proofIn(metaOf(message), c));
    return await serveMessage(c, dependencies, toolbox, message);
  } catch (error) {
    return answerError(c, dependencies, error, readId(body));
  }
}

async function serveMessage(
  c: Context<ApiEnv>,
  dependencies: ApiDependencies,
  toolbox: Toolbox,
  message: Message,
): Promise<Response> {
  const { id, method, params = {} } = message;
  // No notification changes anything here, and its sender waits for no answer.
  if (id === undefined) return c.body(null, 202);
  if (method === 'subscriptions/listen') {
    // The library would hold a stream open for changes that never come.
    const refusal = { code: METHOD_NOT_FOUND, message: 'Nothing here changes that could be listened to.', data: {} };
    return answerRefusal(c, refusal, { id, status: 404 });
  }
  const log: Log = { called: null, refusal: null };
  const parts = {
    baseUrl: dependencies.settings.baseUrl,
    toolbox,
    call: () => callTool(c, dependencies, toolbox, params),
    cursor: params['cursor'],
    onFailure: (error: unknown) => logFailure(c, dependencies, error),
  };
  let answered: Answered | null = null;
  try {
    answered = await exchange(
      c.req.raw,
      message,
      () => createServer(parts, log),
      () => log.refusal !== null,
    );
    return answerJson(c, answered);
  } finally {
    await noteOutcome(c, dependencies, log, answered);
  }
}

/**
 * Whether the answer of a payment was handed over decides what the caller's next payment means. So it counts only when
 * this very answer leaves: what fails after the payment settled is no delivery.
 */
async function noteOutcome(
  c: Context<ApiEnv>,
  dependencies: Pick<ApiDependencies, 'responses' | 'ids'>,
  { called }: Log,
  answered: Answered | null,
): Promise<void> {
  if (called === null || called.paymentId === null) return;
  if (isRecord(answered?.body?.['result'])) await handOver(c, dependencies, called.paymentId);
  else await dependencies.responses.end(connectionOf(c, dependencies), called.paymentId, 'missed');
}

function metaOf({ params }: Message): Record<string, unknown> {
  const meta = params?.['_meta'];
  return isRecord(meta) ? meta : {};
}

function logFailure(c: Context<ApiEnv>, { log }: Pick<ApiDependencies, 'log'>, error: unknown): void {
  log.error({ err: error, requestId: c.get('requestId'), route: routeOf(c) }, 'a request failed unexpectedly');
}
