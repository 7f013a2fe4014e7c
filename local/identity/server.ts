import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { isFromHere } from '../solana/server/loopback.ts';
import { KEEP_ALIVE_MS } from '../solana/server/ports.ts';

/** A server on loopback that stands in for one on the internet. */
export type StandIn = {
  url: string;
  /** The latest requests, as path with query, oldest first. */
  requests: readonly string[];
  /** While it is down it answers 503 to every request. */
  setDown: (isDown: boolean) => void;
  close: () => Promise<void>;
};

export type Question = {
  method: string;
  /** Decoded. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
};

/** An object is sent as JSON, a text as it is. */
export type Reply = { status: number; body?: object | string; headers?: Readonly<Record<string, string>> };

const BODY_BYTES_MAX = 64 * 1024;
const REQUESTS_KEPT = 1_000;

export async function startStandIn(answer: (question: Question) => Reply | Promise<Reply>): Promise<StandIn> {
  const requests: string[] = [];
  let isDown = false;
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    const reply = async (): Promise<void> => {
      requests.push(request.url ?? '');
      if (requests.length > REQUESTS_KEPT) requests.shift();
      const { status, body, headers } = isDown ? { status: 503 } : await answerFromHere(request, answer);
      const isJson = typeof body === 'object';
      const type = isJson ? { 'content-type': 'application/json; charset=utf-8' } : {};
      response.writeHead(status, { ...type, ...headers }).end(isJson ? JSON.stringify(body) : body);
    };
    reply().catch((error: unknown) => {
      // Only people on this machine read it, and they can fix it.
      response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end(String(error));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`expected a port, found ${String(address)}`);
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    setDown: (next) => {
      isDown = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answerFromHere(
  request: IncomingMessage,
  answer: (question: Question) => Reply | Promise<Reply>,
): Promise<Reply> {
  const { method = '', headers } = request;
  if (!isFromHere(headers)) return { status: 403, body: 'This is for this computer only.' };
  const body = await readBody(request);
  if (body === null) return { status: 413, headers: { connection: 'close' } };
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://stand-in');
  return answer({ method, path: decodeURIComponent(pathname), query: searchParams, headers, body });
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
