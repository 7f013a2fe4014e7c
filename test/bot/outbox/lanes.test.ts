import { expect, test, vi } from 'vitest';
import { createLanes, type LaneTurn } from '../../../bot/outbox/lanes.ts';
import { createPace } from '../../../bot/outbox/pace.ts';
import type { PaceLimits } from '../../../core/chats/chats.ts';
import { NO_LIMITS } from '../telegram/telegram-harness.ts';

const SHOWN: LaneTurn = { kind: 'over' };
const AGAIN: LaneTurn = { kind: 'again' };
const SOON = { timeout: 60_000, interval: 10 };

function create(turn: (key: string) => Promise<LaneTurn>, limits: PaceLimits = NO_LIMITS) {
  const nowMs = () => Date.now();
  return createLanes({ pace: createPace(limits, nowMs, () => false), turnsAtOnce: 100, turn, nowMs });
}

test('everybody in a chat has a turn before anybody has a second', async () => {
  const turns: string[] = [];
  const lanes = create(async (key) => {
    turns.push(key);
    return turns.length <= 3 ? AGAIN : SHOWN;
  });
  for (const key of ['a', 'b', 'c']) lanes.add(1, key, 0);
  await vi.waitFor(() => expect(lanes.size()).toBe(0), SOON);
  expect(turns).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
});

test('what is asked for again while it waits is one turn, while it is under way one more', async () => {
  const turns: string[] = [];
  let finish = () => {};
  const lanes = create(async (key) => {
    turns.push(key);
    await new Promise<void>((resolve) => (finish = resolve));
    return SHOWN;
  });
  lanes.add(1, 'a', 0);
  lanes.add(1, 'a', 0);
  await vi.waitFor(() => expect(turns).toEqual(['a']), SOON);
  lanes.add(1, 'a', 0);
  lanes.add(1, 'a', 0);
  finish();
  await vi.waitFor(() => expect(turns).toEqual(['a', 'a']), SOON);
  finish();
  await vi.waitFor(() => expect(lanes.size()).toBe(0), SOON);
});

test('a chat is told one thing at a time, others do not wait for it', async () => {
  const begun: string[] = [];
  const finish: (() => void)[] = [];
  const lanes = create(async (key) => {
    begun.push(key);
    await new Promise<void>((resolve) => finish.push(resolve));
    return SHOWN;
  });
  lanes.add(1, 'a1', 0);
  lanes.add(1, 'a2', 0);
  lanes.add(2, 'b1', 0);
  await vi.waitFor(() => expect(begun).toEqual(['a1', 'b1']), SOON);
  for (const each of finish.splice(0)) each();
  await vi.waitFor(() => expect(begun).toEqual(['a1', 'b1', 'a2']), SOON);
  for (const each of finish.splice(0)) each();
  await lanes.close();
});

test('chats that begin in one moment do not pass the limit of all together', async () => {
  const begun: string[] = [];
  const finish: (() => void)[] = [];
  const limits = { ...NO_LIMITS, overallPerSecond: 3 };
  const lanes = create(async (key) => {
    begun.push(key);
    await new Promise<void>((resolve) => finish.push(resolve));
    return SHOWN;
  }, limits);
  for (let chat = 1; chat <= 9; chat++) lanes.add(chat, `${chat}`, 0);
  await vi.waitFor(() => expect(begun).toEqual(['1', '2', '3']), SOON);
  // They have said nothing, so others may.
  for (const each of finish.splice(0)) each();
  await vi.waitFor(() => expect(begun).toEqual(['1', '2', '3', '4', '5', '6']), SOON);
  for (const each of finish.splice(0)) each();
  await lanes.close();
});

test('a first word goes first in a chat and among chats, and every third turn is for the others', async () => {
  const turns: string[] = [];
  const limits = { ...NO_LIMITS, overallPerSecond: 1 };
  const lanes = create(async (key) => {
    turns.push(key);
    return SHOWN;
  }, limits);
  lanes.add(1, 'edit 1', 0);
  lanes.add(2, 'edit 2', 0);
  for (const word of ['a', 'b', 'c']) lanes.add(1, `word ${word}`, 0, 'first_word');
  lanes.add(3, 'word d', 0, 'first_word');
  await vi.waitFor(() => expect(lanes.size()).toBe(0), SOON);
  expect(turns).toEqual(['word a', 'word d', 'edit 2', 'word b', 'edit 1', 'word c']);
});

test('closed, it finishes what is under way and begins nothing', async () => {
  const turns: string[] = [];
  const lanes = create(async (key) => {
    turns.push(key);
    return SHOWN;
  });
  lanes.add(1, 'a', 0);
  await lanes.close();
  lanes.add(1, 'b', 0);
  expect(turns).toEqual([]);
});

test('in a group at its limit a moderator is answered, and the tips of all wait', async () => {
  const turns: string[] = [];
  let now = 0;
  const limits = { ...NO_LIMITS, perGroupPerMinute: 3, keptPerGroupPerMinute: 1 };
  const pace = createPace(
    limits,
    () => now,
    () => true,
  );
  const turn = async (key: string) => {
    pace.take(-1);
    turns.push(key);
    return SHOWN;
  };
  const lanes = createLanes({ pace, turnsAtOnce: 100, turn, nowMs: () => now });
  for (const tip of ['a', 'b', 'c', 'd']) lanes.add(-1, `tip ${tip}`, 0, 'first_word');
  await vi.waitFor(() => expect(turns).toEqual(['tip a', 'tip b']), SOON);
  // It waited like a tip until it turned out, in another process, to be for one person.
  lanes.addMissing(-1, 'ban', 0);
  lanes.addMissing(-1, 'ban', 0, 'personal');
  await vi.waitFor(() => expect(turns).toEqual(['tip a', 'tip b', 'ban']), SOON);
  now = 61_001;
  lanes.addMissing(-1, 'tip c', 0);
  await vi.waitFor(() => expect(turns).toEqual(['tip a', 'tip b', 'ban', 'tip c', 'tip d']), SOON);
  await lanes.close();
});
