import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { realTimer } from '../../../queue/alarm.ts';
import { watchTaking } from '../../../api/responses/taking.ts';

type Answered = { socket: Socket; look: () => void; told: string[] };

const server = createServer();
const clients: Socket[] = [];
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  for (const client of clients) client.destroy();
  server.close();
});

/** A client that reads nothing until it is told to. */
async function newClient(): Promise<Socket> {
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
  client.pause().on('error', () => undefined);
  clients.push(client);
  await once(client, 'connect');
  return client;
}

/** Its request, and what is told of the answer from when it is written. */
async function ask(client: Socket, headers = ''): Promise<Answered> {
  const asked = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
  client.write(`GET / HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`);
  const [incoming, outgoing] = await asked;
  const told: string[] = [];
  const look = watchTaking({ incoming, outgoing }, (taking) => told.push(taking), realTimer);
  outgoing.end('{"code":200}');
  await once(outgoing, 'finish');
  return { socket: incoming.socket, look, told };
}

const read = async (client: Socket) => {
  client.resume();
  await once(client, 'data');
};

const CONNECTIONS = [
  ['that stays open', ''],
  ['for one request', 'Connection: close\r\n'],
] as const;

test.each(CONNECTIONS)('an answer that its caller did not read is missed, on a connection %s', async (_, headers) => {
  const client = await newClient();
  const { told } = await ask(client, headers);
  // Longer than a reset takes to come; a socket for one request is closed then.
  if (headers === '') await sleep(350);
  client.destroy();
  await vi.waitFor(() => expect(told).toEqual(['missed']));
});

test.each(CONNECTIONS)('an answer that met its caller leaving is missed, on a connection %s', async (_, headers) => {
  const client = await newClient();
  const { told, look } = await ask(client, headers);
  // Its end of the stream is here first; the answer to what it was sent comes a moment later.
  client.resume().end();
  await sleep(50);
  look();
  await sleep(20);
  expect(told).toEqual([]);
  client.resetAndDestroy();
  await sleep(20);
  look();
  await new Promise(setImmediate);
  expect(told).toEqual(['missed']);
});

test.each(CONNECTIONS)(
  'an answer that was read is handed, and its socket goes, on a connection %s',
  async (_, headers) => {
    const client = await newClient();
    const { told, look, socket } = await ask(client, headers);
    await read(client);
    client.end();
    look();
    await vi.waitFor(() => expect(told).toEqual(['handed']));
    await vi.waitFor(() => expect(socket.destroyed).toBe(true));
  },
);

test('an answer is handed when the same caller has its next one', async () => {
  const client = await newClient();
  const first = await ask(client);
  await read(client);
  const second = await ask(client);
  expect([first.told, second.told]).toEqual([['handed'], []]);
  client.destroy();
});

test('an answer that stands behind another on its connection is not handed by that one', async () => {
  const client = await newClient();
  const exchanges: { incoming: IncomingMessage; outgoing: ServerResponse }[] = [];
  const take = (incoming: IncomingMessage, outgoing: ServerResponse) => exchanges.push({ incoming, outgoing });
  server.on('request', take);
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(2));
  await vi.waitFor(() => expect(exchanges).toHaveLength(2));
  server.off('request', take);
  const [one, other] = exchanges;
  if (one === undefined || other === undefined) throw new Error('two were asked for');
  const told: string[] = [];
  watchTaking(other, (taking) => told.push(taking), realTimer);
  other.outgoing.end('{}');
  watchTaking(one, () => undefined, realTimer);
  expect(told).toEqual([]);
  client.destroy();
  await vi.waitFor(() => expect(told).toEqual(['missed']));
});

test('an answer to a broken request that comes soon after another is written', async () => {
  const client = await newClient();
  const { socket } = await ask(client);
  client.resume();
  const texts: string[] = [];
  client.on('data', (chunk) => texts.push(String(chunk)));
  socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  await vi.waitFor(() => expect(texts.join('')).toContain('400 Bad Request'));
  client.destroy();
});

test('an answer that we cut off ourselves a moment later is missed', async () => {
  const { told, socket } = await ask(await newClient());
  socket.destroy();
  await vi.waitFor(() => expect(told).toEqual(['missed']));
});

test('an answer that nobody turned away for 4 s is handed', async () => {
  const client = await newClient();
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    const asked = await ask(client);
    await vi.advanceTimersByTimeAsync(3_900);
    expect(asked.told).toEqual([]);
    await vi.advanceTimersByTimeAsync(100);
    expect(asked.told).toEqual(['handed']);
  } finally {
    vi.useRealTimers();
  }
});
