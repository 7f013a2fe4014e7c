import { autoRetry } from '@grammyjs/auto-retry';
import { apiThrottler } from '@grammyjs/transformer-throttler';
import { Api } from 'grammy';
import { afterEach, expect, test } from 'vitest';
import { USUAL_LIMITS, createFlood } from '../flood.ts';
import { Refusal } from '../refusal.ts';
import { type FakeTelegram, startFakeTelegram } from '../start.ts';

let telegram: FakeTelegram | undefined;
afterEach(() => telegram?.close());

const PRIVATE = { id: 1, type: 'private' };
const GROUP = { id: -1, type: 'supergroup' };

/** How long Telegram says to wait; 0 when it took the message. */
function takeAt(flood: ReturnType<typeof createFlood>, chat: { id: number; type: string }): number {
  try {
    flood.take(chat);
    return 0;
  } catch (error) {
    if (error instanceof Refusal) return error.parameters.retry_after ?? -1;
    throw error;
  }
}

test('a chat takes a short burst, then one message a second', () => {
  let now = 0;
  const flood = createFlood(USUAL_LIMITS, () => now);
  expect([1, 2, 3, 4].map(() => takeAt(flood, PRIVATE))).toEqual([0, 0, 0, 1]);
  now = 1000;
  expect([1, 2].map(() => takeAt(flood, PRIVATE))).toEqual([0, 1]);
});

test('a group takes 20 a minute, and says when the first of them is a minute old', () => {
  let now = 0;
  const flood = createFlood(USUAL_LIMITS, () => now);
  for (let number = 0; number < 20; number += 1) {
    expect(takeAt(flood, GROUP)).toBe(0);
    now += 1000;
  }
  expect(takeAt(flood, GROUP)).toBe(40);
  now = 60_000;
  expect(takeAt(flood, GROUP)).toBe(0);
});

test('all chats together take 30 a second', () => {
  const flood = createFlood(USUAL_LIMITS, () => 0);
  const taken = Array.from({ length: 31 }, (_, index) => takeAt(flood, { id: index + 1, type: 'private' }));
  expect(taken).toEqual([...Array.from({ length: 30 }, () => 0), 1]);
});

test('auto-retry waits as long as a 429 says, and then the message arrives', async () => {
  telegram = await startFakeTelegram({ limits: { ...USUAL_LIMITS, burstPerChat: 1 } });
  const api = new Api(telegram.token, { apiRoot: telegram.url });
  api.config.use(autoRetry());
  const alice = telegram.createUser({ started: true });
  await api.sendMessage(alice.id, 'one');
  await api.sendMessage(alice.id, 'two');
  expect(telegram.fromBot(alice, alice).map(({ text }) => text)).toEqual(['one', 'two']);
  const [refused] = telegram.refused(429);
  const [, , last] = telegram.calls('sendMessage');
  expect(telegram.calls('sendMessage')).toHaveLength(3);
  expect((last?.arrivedAtMs ?? 0) - (refused?.answeredAtMs ?? 0)).toBeGreaterThanOrEqual(990);
});

test('a 429 that a test sets names its seconds in parameters and in the header', async () => {
  telegram = await startFakeTelegram();
  const alice = telegram.createUser({ started: true });
  telegram.fail('sendMessage', { kind: 'flood', retryAfterSeconds: 7 }, 1);
  const query = new URLSearchParams({ chat_id: String(alice.id), text: 'x' });
  const response = await fetch(`${telegram.url}/bot${telegram.token}/sendMessage?${query.toString()}`);
  expect(response.headers.get('retry-after')).toBe('7');
  expect(await response.json()).toMatchObject({ error_code: 429, parameters: { retry_after: 7 } });
});

test("with grammY's throttler a chat's limit is never met", async () => {
  telegram = await startFakeTelegram({ limits: { ...USUAL_LIMITS, burstPerChat: 2 } });
  const api = new Api(telegram.token, { apiRoot: telegram.url });
  api.config.use(apiThrottler());
  const alice = telegram.createUser({ started: true });
  await Promise.all(['one', 'two', 'three'].map((text) => api.sendMessage(alice.id, text)));
  expect(telegram.refused()).toEqual([]);
  expect(telegram.fromBot(alice, alice)).toHaveLength(3);
});
