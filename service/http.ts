import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { getRequestListener, RequestError, type HttpBindings } from '@hono/node-server';
import { ERRORS } from '../core/errors.ts';
import { createIds } from '../core/ids.ts';
import { createStartingApp } from './readiness/starting-app.ts';

export type FetchApp = (request: Request, env: HttpBindings) => Response | Promise<Response>;

export type HttpServer = {
  port: number;
  /** From here on requests are answered by this app. */
  serve: (app: FetchApp) => void;
  /** Takes no new connection, and finishes what it is answering within `DRAIN_LIMIT_MS`. */
  close: () => Promise<void>;
};

const HEADERS_MAX_BYTES = 16 * 1024;
/** Longer than a request waits for its settlement (20 s), shorter than what supervisors grant before they kill (30 s). */
const DRAIN_LIMIT_MS = 22_000;

/** Takes the port first, so that a port in use is known before anything else is started. */
export async function listen(
  host: string,
  port: number,
  starting: FetchApp = createStartingApp(),
): Promise<HttpServer> {
  let app = starting;
  const answering = new Set<Exchange>();
  const listener = getRequestListener((request, env) => app(request, env as HttpBindings), {
    errorHandler: refuseAddress,
  });
  const server = createServer(
    {
      maxHeaderSize: HEADERS_MAX_BYTES,
      requestTimeout: 30_000,
      headersTimeout: 10_000,
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
  answerBrokenRequests(server);
  // Node would answer 417 without a body to any other expectation; a server may ignore it (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(describeListenError(error, host, port)));
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    serve: (next) => {
      app = next;
    },
    close: () => closeServer(server, answering),
  };
}

/** A request that never becomes one for the app still gets the one error shape, and can be read from any origin. */
function answerBrokenRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable) return;
    const { status, headers, body } = refusal(
      error.code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'validation_failed',
      'This is not a complete HTTP request.',
    );
    const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' });
    const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines.map((line) => line.join(': '))];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}

/** For what has no address that could be parsed: no Host or a wrong one, `*`, a backslash in the path. */
function refuseAddress(error: unknown): Response {
  const code = error instanceof RequestError ? 'validation_failed' : 'internal_error';
  const { status, headers, body } = refusal(code, 'The address of this request cannot be read.');
  return new Response(body, { status, headers });
}

const ids = createIds(randomBytes);

const MESSAGES = {
  validation_failed: 'Validation failed',
  headers_too_large: ERRORS.headers_too_large.detail,
  internal_error: 'Internal server error',
} as const;

/** As the app's own refusals, for what never gets there. */
function refusal(code: 'headers_too_large' | 'validation_failed' | 'internal_error', detail: string) {
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
    detail: code === 'validation_failed' ? detail : general,
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
