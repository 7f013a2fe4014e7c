import { afterEach, beforeEach, expect, test } from 'vitest';
import { dueMessages, expireMessage } from '../../../db/chats/expiring-messages.ts';
import type { Store } from '../../../db/store/store.ts';
import type { Outcome } from '../../../bot/telegram/calls.ts';
import { createExpiry } from '../../../bot/outbox/expiry.ts';
import { removal } from '../../../bot/telegram/delivery.ts';
import { createPace, type Pace } from '../../../bot/outbox/pace.ts';
import { isGroupId } from '../../../bot/telegram/place.ts';
import type { PaceLimits } from '../../../core/chats/chats.ts';
import { openTestStore } from '../harness.ts';
import { NO_LIMITS } from '../telegram/telegram-harness.ts';

const NOW_MS = Date.UTC(2026, 10, 20);
const DAY_MS = 24 * 3_600_000;
const DONE: Outcome<unknown> = { kind: 'done', result: true };

let store: Store;
let nowMs: number;
let removed: { chat: number; message: number; atMs: number }[];
beforeEach(async () => {
  store = await openTestStore();
  nowMs = NOW_MS;
  removed = [];
});
afterEach(() => store.close());

function create(answer: (chat: number) => Outcome<unknown>, limits: Partial<PaceLimits> = {}) {
  const pace: Pace = createPace({ ...NO_LIMITS, ...limits }, () => nowMs, isGroupId);
  const clock = { now: () => nowMs, sleep: async (ms: number) => void (nowMs += ms) };
  const remove = async (chat: number, message: number) => {
    removed.push({ chat, message, atMs: nowMs });
    return answer(chat);
  };
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  return {
    pace,
    expiry: createExpiry({ chat: 'telegram', store, clock, log, ...removal({ calls: { remove }, pace }) }),
  };
}

const due = (chatId: string, messageId: string, dueAtMs = NOW_MS) =>
  expireMessage(store, { transport: 'telegram', chatId, messageId, dueAtMs });
const left = async () =>
  (await dueMessages(store, 'telegram', Infinity, 100)).map(({ chatId, messageId }) => `${chatId}:${messageId}`);

test('what is due is deleted, oldest first, and what is not stays', async () => {
  await due('-5', '2', NOW_MS);
  await due('-5', '1', NOW_MS - 10);
  await due('-5', '3', NOW_MS + 1);
  const { expiry } = create(() => DONE);
  await expiry.look();
  expect(await left()).toEqual(['-5:3']);
  expect(removed.map(({ message }) => message)).toEqual([1, 2]);
});

test('it leaves half of what the bot may do to answers', async () => {
  for (let message = 1; message <= 9; message++) await due('-5', String(message));
  const { pace, expiry } = create(() => DONE, { overallPerSecond: 6 });
  pace.take(-7);
  await expiry.look();
  expect(await left()).toEqual([]);
  expect(removed.filter(({ atMs }) => atMs === NOW_MS)).toHaveLength(2);
  for (const { atMs } of removed) {
    expect(removed.filter((other) => other.atMs > atMs - 1_000 && other.atMs <= atMs).length).toBeLessThanOrEqual(3);
  }
});

test('a chat that takes nothing holds up no other, and has its turn in a later round', async () => {
  await due('-5', '1', NOW_MS - 2);
  await due('-5', '2', NOW_MS - 1);
  await due('-6', '3', NOW_MS);
  let isFlooded = true;
  const { pace, expiry } = create((chat) =>
    chat === -5 && isFlooded ? { kind: 'flood', retryAfterMs: 30_000 } : DONE,
  );
  await expiry.look();
  expect(await left()).toEqual(['-5:1', '-5:2']);
  expect(removed.filter(({ chat }) => chat === -5)).toHaveLength(1);
  expect(pace.waitMs(-5, true)).toBeGreaterThan(20_000);
  isFlooded = false;
  nowMs += 30_000;
  await expiry.look();
  expect(await left()).toEqual([]);
});

test.each<[string, Outcome<unknown>, string[]]>([
  ['is gone', { kind: 'refused', code: 400 }, []],
  ['is in a group that has thrown the bot out', { kind: 'refused', code: 403 }, []],
  ['is in a group that has another id now', { kind: 'moved', chat: -9 }, []],
  ['got no answer', { kind: 'unknown' }, ['-5:1']],
  ['was asked about with a wrong token', { kind: 'refused', code: 401 }, ['-5:1']],
])('what %s', async (_what, outcome, wanted) => {
  await due('-5', '1');
  const { expiry } = create(() => outcome);
  await expiry.look();
  expect(removed).toHaveLength(1);
  expect(await left()).toEqual(wanted);
});

test('what is older than anything that can be deleted is given up without a word', async () => {
  await due('-5', '1', NOW_MS - 2 * DAY_MS - 1);
  const { expiry } = create(() => DONE);
  await expiry.look();
  expect(removed).toEqual([]);
  expect(await left()).toEqual([]);
});

test('closed, it begins nothing', async () => {
  await due('-5', '1');
  const { expiry } = create(() => DONE);
  await expiry.close();
  await expiry.look();
  expect(removed).toEqual([]);
});
