/** Two ports in a row, on loopback: web3.js looks for the websocket one above the port it is given. */
import { type RequestListener, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const HOST = '127.0.0.1';
const ATTEMPTS_MAX = 20;
const REQUEST_MS_MAX = 30_000;
/** Longer than clients keep an idle connection: if we closed first, a call would be lost. */
export const KEEP_ALIVE_MS = 65_000;

export type PortPair = { port: number; servers: [Server, Server] };

/** Those that are asked for, or none: then it answers null. */
export async function listenOn(port: number, listener: RequestListener): Promise<PortPair | null> {
  const first = await listen(port, listener);
  if (!first) return null;
  const { port: found } = first.address() as AddressInfo;
  const second = found === 65_535 ? null : await listen(found + 1, listener);
  if (second) return { port: found, servers: [first, second] };
  await closeServer(first);
  return null;
}

/** Some that are free. */
export async function listenAnywhere(listener: RequestListener): Promise<PortPair> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const pair = await listenOn(0, listener);
    if (pair) return pair;
  }
  throw new Error(`no two free ports in a row were found in ${ATTEMPTS_MAX} attempts`);
}

export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((done) => server.close(done));
  server.closeAllConnections();
  await closed;
}

/** Null when another process has the port. */
async function listen(port: number, listener: RequestListener): Promise<Server | null> {
  const server = createServer({ requestTimeout: REQUEST_MS_MAX, keepAliveTimeout: KEEP_ALIVE_MS }, listener);
  return new Promise((done, failed) => {
    server.once('listening', () => done(server));
    server.once('error', (error) => {
      if ('code' in error && error.code === 'EADDRINUSE') done(null);
      else failed(error);
    });
    server.listen(port, HOST);
  });
}
