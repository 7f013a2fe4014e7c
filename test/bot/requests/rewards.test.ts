/** How many distributions the bot has made at once, seen from the API. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRewards, type Rewards } from '../../../bot/requests/rewards.ts';
import { usdc } from '../harness.ts';

let asked: ServerResponse[];
let rewards: Rewards;
let close: () => Promise<void>;

/** An API that reads posts for as long as the test wants it to. */
beforeEach(async () => {
  asked = [];
  const server = createServer((_request, response) => void asked.push(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const closing = new AbortController();
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  rewards = createRewards({ baseUrl, fetch, closing: closing.signal });
  close = async () => {
    closing.abort();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
});
afterEach(() => close());

const wish = { post: `0x${'ab'.repeat(20)}`, budget: usdc(5), excluded: [] };
const makeFor = (guild: number) => rewards.create(wish, `discord-guild:${guild}`);
const answerAll = () => {
  for (const response of asked.splice(0)) response.writeHead(400).end('{"error":"no_engagement"}');
};

test('a community that asks for many posts at once has two read, and the others may be asked for again', async () => {
  const many = Array.from({ length: 6 }, () => makeFor(1));
  const refused = await Promise.all(many.slice(2));
  expect(refused.map(({ kind }) => kind)).toEqual(Array(4).fill('unreachable'));
  const other = makeFor(2);
  await expect.poll(() => asked.length).toBe(3);
  answerAll();
  const read = await Promise.all([...many.slice(0, 2), other]);
  expect(read.map(({ kind }) => kind)).toEqual(Array(3).fill('refused'));
  const again = makeFor(1);
  await expect.poll(() => asked.length).toBe(1);
  answerAll();
  expect((await again).kind).toBe('refused');
});

test('many communities together have eight read at once', async () => {
  const many = Array.from({ length: 20 }, (_, guild) => makeFor(guild + 1));
  const refused = await Promise.all(many.slice(8));
  expect(refused.map(({ kind }) => kind)).toEqual(Array(12).fill('unreachable'));
  await expect.poll(() => asked.length).toBe(8);
  answerAll();
  expect((await Promise.all(many)).filter(({ kind }) => kind === 'refused')).toHaveLength(8);
});
