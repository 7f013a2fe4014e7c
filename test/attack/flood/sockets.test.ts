import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { connectionLimits, type ConnectionLimits } from '../../../service/http/connections.ts';
import { listen, type HttpServer } from '../../../service/http/server.ts';

const QUICK = { ...connectionLimits(1_024), headersMs: 150, requestMs: 300, stallMs: 200, answerMs: 400, lingerMs: 50 };
const NONE = { total: Infinity, perAddress: Infinity, headersMs: 0, requestMs: 0, stallMs: 0, answerMs: 60_000 };
/** Longer than all limits of `QUICK` one after the other. */
const ALL_OVER_MS = 900;
const WAIT = { timeout: 60_000, interval: 10 };
const [ATTACKER, OTHER] = ['127.0.0.2', '127.0.0.3'];

const HALF_OPEN = 'GET / HTTP/1.1\r\nHost: x\r\nX-Never';
const HALF_BODY = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{';
const WHOLE = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const BROKEN = 'NO HTTP AT ALL\r\n\r\n';

let server: HttpServer | null = null;
const held: Socket[] = [];
let asked = 0;
afterEach(async () => {
  for (const socket of held.splice(0)) socket.destroy();
  await server?.close();
});

describe('callers who never read', () => {
  test.each([
    ['an unfinished header', HALF_OPEN],
    ['no word at all', ''],
    ['an unfinished body', HALF_BODY],
    ['no HTTP', BROKEN],
    ['a large answer', WHOLE],
  ])('%s: every socket is gone when its limit is over', async (_name, words) => {
    const place = await serve(QUICK);
    await flood(place, 8, words);
    expect(held.filter(({ connecting }) => connecting)).toEqual([]);
    await expect.poll(place.openSockets, WAIT).toBe(0);
  });

  test.each([
    ['without limits of time', { ...QUICK, ...NONE }, HALF_OPEN],
    ['without a limit on taking an answer', { ...QUICK, ...NONE }, WHOLE],
    ['answered and only ended', { ...QUICK, lingerMs: 60_000, stallMs: 0 }, HALF_OPEN],
  ])('CONTROL: %s they stay', async (_name, limits, words) => {
    const place = await serve(limits);
    await flood(place, 8, words);
    await expect.poll(place.openSockets, WAIT).toBe(8);
    await sleep(ALL_OVER_MS);
    expect(place.openSockets()).toBe(8);
  });
});

describe('a socket that was opened ahead of time, as browsers do', () => {
  test('is closed without a word', async () => {
    const place = await serve(QUICK);
    expect(await read(await open(place), '')).toBe('');
  });

  test.each([
    ['its request', '', WHOLE.replace('/', '/quick')],
    ['the rest of one', HALF_BODY.replace('/', '/quick').replace('100', '2'), '}'],
  ])('%s came while the process was busy: it is answered, though its time is over', async (_what, before, rest) => {
    const place = await serve({ ...QUICK, stallMs: 300, headersMs: 300, requestMs: 60_000 });
    const socket = await open(place);
    if (before !== '') socket.write(before);
    await expect.poll(() => place.openSockets() + asked, WAIT).toBe(before === '' ? 1 : 2);
    // After reading, so that the timers are next.
    await new Promise(setImmediate);
    const answer = read(socket, rest);
    const busyUntil = Date.now() + 700;
    while (Date.now() < busyUntil);
    expect(await answer).toContain('200 OK');
  });
});

test('a socket that was spared because something came, which is no request, is closed later', async () => {
  const place = await serve({ ...QUICK, stallMs: 0, headersMs: 300, requestMs: 60_000 });
  const socket = await open(place);
  await expect.poll(place.openSockets, WAIT).toBe(1);
  await new Promise(setImmediate);
  socket.write('\r\n');
  const busyUntil = Date.now() + 700;
  while (Date.now() < busyUntil);
  await expect.poll(place.openSockets, WAIT).toBe(0);
});

describe('more sockets than there is room for', () => {
  const FEW: ConnectionLimits = {
    ...QUICK,
    total: 12,
    perAddress: 8,
    headersMs: 60_000,
    requestMs: 60_000,
    stallMs: 60_000,
  };

  test('are cut, the oldest first; another caller is answered', async () => {
    const place = await serve(FEW);
    await flood(place, 30, HALF_OPEN);
    expect(place.openSockets()).toBe(8);
    await flood(place, 30, HALF_OPEN, '127.0.0.4');
    expect(place.openSockets()).toBe(12);
    expect(await ask(place, '/quick')).toContain('200 OK');
  });

  test('never cut a request that waits for its answer, even of the same address', async () => {
    const place = await serve(FEW);
    const waiting = Array.from({ length: 8 }, () => ask(place, '/slow', ATTACKER));
    // A socket whose request has not come yet is one of the half-open ones.
    await expect.poll(() => asked, WAIT).toBe(8);
    await flood(place, 40, HALF_OPEN);
    await flood(place, 40, HALF_OPEN, '127.0.0.4');
    expect(place.openSockets()).toBeLessThanOrEqual(12);
    for (const answer of await Promise.all(waiting)) expect(answer).toContain('200 OK');
  });

  test('CONTROL: without caps all of them stay', async () => {
    const place = await serve({ ...FEW, total: Infinity, perAddress: Infinity });
    await flood(place, 30, HALF_OPEN);
    await expect.poll(place.openSockets, WAIT).toBe(30);
  });
});

test.each([
  [200, 100],
  [700, 350],
  [1_024, 512],
  [4_096, 3_584],
  [1_048_576, 4_096],
])('of %d descriptors callers get %d', (descriptors, total) => {
  expect(connectionLimits(descriptors).total).toBe(total);
});

/** `/quick` and `/slow` say a word; all else is more than fits between two machines. */
async function serve(limits: ConnectionLimits): Promise<HttpServer> {
  server = await listen('127.0.0.1', 0, { limits });
  asked = 0;
  server.serve(async (request) => {
    asked += 1;
    const { pathname } = new URL(request.url);
    if (pathname === '/slow') await sleep(600);
    if (request.body !== null) await request.text().catch(() => '');
    return new Response(pathname === '/' ? new Uint8Array(8_000_000) : 'done');
  });
  return server;
}

async function flood({ port }: HttpServer, count: number, words: string, localAddress = ATTACKER): Promise<void> {
  for (let opened = 0; opened < count; opened += 1) {
    const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
    held.push(socket.pause());
    socket.on('error', () => {});
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.write(words);
  }
  await sleep(20);
}

async function open({ port }: HttpServer): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: OTHER });
  held.push(socket);
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  return socket;
}

/** All that comes before the first pause of an answer, or the end. */
async function read(socket: Socket, words: string): Promise<string> {
  if (words !== '') socket.write(words);
  return new Promise((resolve) => {
    socket.once('data', (bytes) => resolve(bytes.toString()));
    socket.once('close', () => resolve(''));
  });
}

function ask({ port }: HttpServer, path: string, localAddress = OTHER): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('data', (bytes) => (answer += bytes.toString()));
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  });
}
