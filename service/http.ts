import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';

export type FetchApp = (request: Request, env: HttpBindings) => Response | Promise<Response>;

export type HttpServer = {
  port: number;
  /** From here on requests are answered by this app; before, they get a 503. */
  serve: (app: FetchApp) => void;
  close: () => Promise<void>;
};

const HEADERS_MAX_BYTES = 16 * 1024;
const CLOSE_LIMIT_MS = 5_000;

/** Takes the port first, so that a port in use is known before anything else is started. */
export async function listen(host: string, port: number): Promise<HttpServer> {
  let app: FetchApp = () => new Response('{"code":503,"msg":"starting"}', { status: 503 });
  const server = createAdaptorServer({
    fetch: (request, env) => app(request, env as HttpBindings),
    serverOptions: { maxHeaderSize: HEADERS_MAX_BYTES, requestTimeout: 30_000, headersTimeout: 10_000 },
  }) as Server;
  answerBrokenRequests(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(describeListenError(error, host, port)));
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    serve: (next) => {
      app = next;
    },
    close: () => closeServer(server),
  };
}

/** A request that never becomes one for the app still gets the one error shape. */
function answerBrokenRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable) return;
    const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
    const status = tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request';
    const body = JSON.stringify({
      code: tooLarge ? 431 : 400,
      msg: tooLarge ? 'The headers may have at most 16 KiB.' : 'Validation failed',
      error: tooLarge ? 'headers_too_large' : 'validation_failed',
      retryable: false,
    });
    const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`;
    socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`);
  });
}

function describeListenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new Error(`Port ${port} on ${host} is in use. Stop what listens there, or set PORT to another.`);
  }
  if (error.code === 'EACCES')
    return new Error(`Port ${port} on ${host} is not allowed for this user. Set PORT above 1023.`);
  return new Error(`Could not listen on ${host}:${port} (${error.code ?? 'unknown reason'}).`);
}

/** Lets requests that are being answered finish, then ends what is left: event streams never end by themselves. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const limit = setTimeout(() => server.closeAllConnections(), CLOSE_LIMIT_MS);
  await closed;
  clearTimeout(limit);
}
