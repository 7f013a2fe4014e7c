import { randomBytes } from 'node:crypto';
import { Socket, type AddressInfo } from 'node:net';
import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { getRequestListener, RequestError, type HttpBindings } from '@hono/node-server';
import { ERRORS } from '../../core/errors.ts';
import { createIds } from '../../core/ids.ts';
import { createStartingApp } from '../readiness/starting-app.ts';
import {
  connectionLimits,
  guardConnections,
  type ConnectionLimits,
  type Connections,
  type OpenSockets,
} from './connections.ts';
import { createProxyWarning, isForUs, type Site } from './own-host.ts';

export type FetchApp = (request: Request, env: HttpBindings) => Response | Promise<Response>;

export type HttpServer = {
  port: number;
  openSockets: OpenSockets;
  /** From here on requests are answered by this app. */
  serve: (app: FetchApp) => void;
  /** Takes no new connection, and finishes what it is answering within `DRAIN_LIMIT_MS`. */
  close: () => Promise<void>;
};

const HEADERS_MAX_BYTES = 16 * 1024;
/** Longer than a request waits for its settlement (20 s), shorter than what supervisors grant before they kill (30 s). */
const DRAIN_LIMIT_MS = 22_000;

type ListenOptions = {
  /** What answers until `serve`. */
  starting?: FetchApp;
  /** The service whose name a request must give; absent, any name will do. */
  site?: Site;
  limits?: ConnectionLimits;
};

/** Takes the port first, so that a port in use is known before anything else is started. */
export async function listen(
  host: string,
  port: number,
  { starting = createStartingApp(), site, limits = connectionLimits() }: ListenOptions = {},
): Promise<HttpServer> {
  let app = starting;
  const answering = new Set<Exchange>();
  const warnOfProxy = site === undefined ? () => {} : createProxyWarning(site);
  const answer: FetchApp = (request, env) => {
    warnOfProxy(env);
    return site === undefined || isForUs(request, env, site) ? app(request, env) : refuseHost(site);
  };
  const listener = getRequestListener((request, env) => answer(request, env as HttpBindings), {
    errorHandler: refuseAddress,
  });
  const server = createServer(
    {
      maxHeaderSize: HEADERS_MAX_BYTES,
      requestTimeout: limits.requestMs,
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: Math.min(1_000, limits.headersMs || 1_000),
      // Node itself would answer without a body; the handler below says what is missing.
      requireHostHeader: false,
    },
    (request, response) => {
      const exchange = { request, response };
      answering.add(exchange);
      response.once('close', () => answering.delete(exchange));
      if (!server.listening) response.setHeader('Connection', 'close');
      void listener(request, response);
    },
  );
  const connections = guardConnections(server, limits, site?.isTrustedProxy ?? (() => false));
  answerBrokenRequests(server, answering, connections, limits.lingerMs);
  // Node would answer 417 without a body to any other expectation; a server may ignore it (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(describeListenError(error, host, port)));
    server.listen(port, host, resolve);
  });
  // A connection that the system could not hand over, for want of descriptors or memory: its caller comes again.
  server.on('error', (error) => site?.log.warn({ error: String(error) }, 'a connection was not accepted'));
  return {
    port: (server.address() as AddressInfo).port,
    openSockets: connections.open,
    serve: (next) => {
      app = next;
    },
    close: () => closeServer(server, answering),
  };
}

/**
 * A request that never becomes one for the app still gets the one error shape, and can be read from any origin. Then the
 * socket is destroyed: ended only, it would stay for as long as its other end likes.
 */
function answerBrokenRequests(
  server: Server,
  answering: ReadonlySet<Exchange>,
  { endQuiet }: Pick<Connections, 'endQuiet'>,
  lingerMs: number,
): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Browsers open sockets ahead of time. Words on one that nothing was asked on would answer the next request.
    if (socket instanceof Socket && socket.bytesRead === 0) {
      endQuiet(socket);
      return;
    }
    const isUnderWay = [...answering].some(
      ({ request, response }) => request.socket === socket && response.headersSent,
    );
    if (!socket.writable || isUnderWay) {
      socket.destroy();
      return;
    }
    const { status, headers, body } = refusal(
      error.code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'validation_failed',
      'This is not a complete HTTP request.',
    );
    const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' });
    const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines.map((line) => line.join(': '))];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
    // At once would be too soon: data that the caller is still sending would destroy the answer.
    setTimeout(() => socket.destroy(), lingerMs).unref();
  });
}

/** For what has no address that could be parsed: no Host or a wrong one, `*`, a backslash in the path. */
function refuseAddress(error: unknown): Response {
  const code = error instanceof RequestError ? 'validation_failed' : 'internal_error';
  const { status, headers, body } = refusal(code, 'The address of this request cannot be read.');
  return new Response(body, { status, headers });
}

function refuseHost({ baseUrl }: Site): Response {
  const { status, headers, body } = refusal(
    'wrong_host',
    `This is ${baseUrl}. A proxy in front must pass the Host header on.`,
  );
  return new Response(body, { status, headers });
}

const ids = createIds(randomBytes);

const MESSAGES = {
  validation_failed: 'Validation failed',
  headers_too_large: ERRORS.headers_too_large.detail,
  wrong_host: ERRORS.wrong_host.detail,
  internal_error: 'Internal server error',
} as const;

/** Like the app's own refusals, for requests that never get there. */
function refusal(code: keyof typeof MESSAGES, detail: string) {
  const { status, retryable, detail: general } = ERRORS[code];
  const requestId = ids.requestId();
  const headers = {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'X-Request-Id',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
  };
  const body = JSON.stringify({
    code: status,
    msg: MESSAGES[code],
    error: code,
    detail: code === 'validation_failed' || code === 'wrong_host' ? detail : general,
    retryable,
    request_id: requestId,
  });
  return { status, headers, body };
}

function describeListenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new Error(`Port ${port} on ${host} is in use. Stop what listens there, or set PORT to another.`);
  }
  if (error.code === 'EACCES')
    return new Error(`Port ${port} on ${host} is not allowed for this user. Set PORT above 1023.`);
  return new Error(`Could not listen on ${host}:${port} (${error.code ?? 'unknown reason'}).`);
}

type Exchange = { request: IncomingMessage; response: ServerResponse };

/** Lets requests that are being answered finish. Event streams never end by themselves: their readers come again. */
async function closeServer(server: Server, answering: ReadonlySet<Exchange>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  for (const { request, response } of answering) {
    if (!response.headersSent) response.setHeader('Connection', 'close');
    else if (isStream(request)) response.destroy();
  }
  const limit = setTimeout(() => server.closeAllConnections(), DRAIN_LIMIT_MS);
  await closed;
  clearTimeout(limit);
}

function isStream({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.accept?.includes('text/event-stream') === true;
}
