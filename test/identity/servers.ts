import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** A server over which a test has full control; it is closed with the test. Without a host it listens on every address. */
export async function startServer(
  handler: RequestListener,
  host: '127.0.0.1' | null = '127.0.0.1',
): Promise<{ url: string; port: number; requests: () => number }> {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    handler(request, response);
  });
  server.listen(0, host ?? undefined);
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`expected a port, found ${String(address)}`);
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    requests: () => requests,
  };
}

export function answering(status: number, body: string, headers: Record<string, string> = {}): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };
}

/** Keeps what would go to the service's log. */
export function createTestLog() {
  const lines: { details: object; text: string }[] = [];
  return { lines, log: { warn: (details: object, text: string) => void lines.push({ details, text }) } };
}
