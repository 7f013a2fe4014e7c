import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';

/**
 * What stands before several APIs: each connection goes to the next of them that says it is ready, as docs/operating.md has
 * it; a process that is stopped still takes connections. It passes bytes on and nothing else, so a client keeps its connection
 * when the API behind it has died: it hears nothing for `LINGER_MS`, then the end.
 */
const LINGER_MS = 3_000;
const ASK_EVERY_MS = 1_000;
const ANSWER_WITHIN_MS = 2_000;

export type Front = { url: string; close: () => void };

export async function startFront(port: number, backends: readonly number[]): Promise<Front> {
  let turn = 0;
  const ready = new Set(backends);
  const asking = setInterval(() => void Promise.all(backends.map((backend) => ask(backend, ready))), ASK_EVERY_MS);
  const server = createServer({ allowHalfOpen: true }, (client) => {
    turn += 1;
    const inTurn = [...backends.slice(turn % backends.length), ...backends.slice(0, turn % backends.length)];
    // Where none is ready, one may still answer what it knows.
    connect(client, [...inTurn.filter((one) => ready.has(one)), ...inTurn.filter((one) => !ready.has(one))]);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    clearInterval(asking);
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

async function ask(backend: number, ready: Set<number>): Promise<void> {
  const options = { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) };
  const isReady = await fetch(`http://127.0.0.1:${backend}/health/ready`, options).then(
    ({ ok }) => ok,
    () => false,
  );
  if (isReady) ready.add(backend);
  else ready.delete(backend);
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
