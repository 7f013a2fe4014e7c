import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';

/**
 * What stands before several APIs: each connection goes to the next of them that takes one. It passes bytes on and nothing
 * else, so a client keeps its connection when the API behind it has died: it hears nothing for `LINGER_MS`, then the end.
 */
const LINGER_MS = 3_000;

export type Front = { url: string; close: () => void };

export async function startFront(port: number, backends: readonly number[]): Promise<Front> {
  let turn = 0;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    turn += 1;
    connect(client, [...backends.slice(turn % backends.length), ...backends.slice(0, turn % backends.length)]);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() };
}

function connect(client: Socket, [port, ...others]: readonly number[]): void {
  if (port === undefined) return void client.destroy();
  const backend = createConnection({ port, host: '127.0.0.1', allowHalfOpen: false });
  backend.once('connect', () => {
    client.pipe(backend);
    backend.pipe(client, { end: false });
    backend.once('close', () => setTimeout(() => client.destroy(), LINGER_MS));
    client.once('close', () => backend.destroy());
  });
  backend.on('error', () => {
    if (backend.bytesRead === 0 && backend.bytesWritten === 0) connect(client, others);
  });
  client.on('error', () => backend.destroy());
}
