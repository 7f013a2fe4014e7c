import { expect, test } from 'vitest';
import { createPace as paceOf } from '../../../bot/outbox/pace.ts';
import { isGroupId } from '../../../bot/telegram/place.ts';
import { CHATS, type PaceLimits } from '../../../core/chats/chats.ts';
import { createFlood, USUAL_LIMITS } from '../../fakes/telegram/flood.ts';
import { Refusal } from '../../fakes/telegram/refusal.ts';

const TELEGRAM_PACE: PaceLimits = CHATS.telegram.outbox.pace;
const createPace = (limits: PaceLimits, nowMs: () => number) => paceOf(limits, nowMs, isGroupId);

/** Sends as fast as the pace lets it for ten minutes; answers how much, and how often Telegram refused. */
function drive(chats: readonly number[], limits = TELEGRAM_PACE) {
  let now = 1_000_000;
  const pace = createPace(limits, () => now);
  const flood = createFlood(USUAL_LIMITS, () => now);
  const result = { sent: 0, refused: 0 };
  const endMs = now + 10 * 60_000;
  while (now < endMs) {
    const waits = chats.map((chat) => ({ chat, inMs: pace.waitMs(chat, true) }));
    const next = waits.toSorted((one, other) => one.inMs - other.inMs)[0];
    if (!next) break;
    now += next.inMs;
    pace.take(next.chat);
    try {
      flood.take({ id: next.chat, type: next.chat < 0 ? 'supergroup' : 'private' });
      result.sent++;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      result.refused++;
    }
  }
  return result;
}

test.each([
  ['one private chat', [5], 535],
  ['one group', [-5], 180],
  ['a hundred private chats', Array.from({ length: 100 }, (_, index) => index + 1), 14_500],
])('%s at full speed is never refused, and is used', (_what, chats, atLeast) => {
  const { sent, refused } = drive(chats);
  expect(refused).toBe(0);
  expect(sent).toBeGreaterThan(atLeast);
});

test('messages to many chats that are late by up to a seventh of a second are not refused either', () => {
  let now = 1_000_000;
  let arrivesAtMs = now;
  const pace = createPace(TELEGRAM_PACE, () => now);
  const flood = createFlood(USUAL_LIMITS, () => arrivesAtMs);
  const arrivals: { chat: number; atMs: number }[] = [];
  for (let number = 0; number < 2_000; number++) {
    const chat = 1 + (number % 100);
    now += pace.waitMs(chat, true);
    pace.take(chat);
    arrivals.push({ chat, atMs: now + ((number * 7_919) % 143) });
  }
  const arrive = ({ chat, atMs }: (typeof arrivals)[number]) => {
    arrivesAtMs = atMs;
    flood.take({ id: chat, type: 'private' });
  };
  const inOrder = arrivals.toSorted((one, other) => one.atMs - other.atMs);
  expect(() => inOrder.forEach(arrive)).not.toThrow();
});

test.each([0, 300, 600, 900, 1_200, 2_400])(
  'what is held up for a seventh of a second and then comes with what is not, from %s ms on, is not refused',
  (stallMs) => {
    const beginMs = 1_000_000;
    let now = beginMs;
    let arrivesAtMs = now;
    const pace = createPace(TELEGRAM_PACE, () => now);
    const flood = createFlood(USUAL_LIMITS, () => arrivesAtMs);
    const endOfStallMs = beginMs + stallMs + 143;
    for (let chat = 1; chat <= 200; chat++) {
      now += pace.waitMs(chat, true);
      pace.take(chat);
      arrivesAtMs = now >= beginMs + stallMs ? Math.max(now, endOfStallMs) : now;
      expect(() => flood.take({ id: chat, type: 'private' })).not.toThrow();
    }
  },
);

test('in a rush the bot speaks evenly, and what is about to be sent has its place among that', () => {
  let now = 0;
  const pace = createPace({ ...TELEGRAM_PACE, overallPerSecond: 21, overallBurst: 2 }, () => now);
  pace.take(1);
  pace.take(2);
  expect(pace.waitMs(3, true)).toBe(50);
  now = 50;
  pace.hold(3);
  expect(pace.waitMs(4, true)).toBe(50);
  now = 100;
  pace.hold(4);
  expect(pace.waitMs(5, true)).toBe(50);
  pace.letGo(3);
  pace.letGo(4);
  expect(pace.waitMs(5, true)).toBe(0);
});

test('without the limits Telegram refuses: the test above can fail', () => {
  expect(drive([-5], { ...TELEGRAM_PACE, perGroupPerMinute: 30 }).refused).toBeGreaterThan(0);
});

test('a chat that is paused waits, the others a second', () => {
  let now = 0;
  const pace = createPace(TELEGRAM_PACE, () => now);
  pace.pause(5, 30_000);
  expect([pace.waitMs(5, true), pace.waitMs(6, true)]).toEqual([30_000, 1_000]);
  now = 1_000;
  expect([pace.waitMs(5, true), pace.waitMs(6, true)]).toEqual([29_000, 0]);
});

test('what is about to be sent counts like what was sent, until it is known that it will not be', () => {
  const pace = createPace({ ...TELEGRAM_PACE, overallPerSecond: 2, burstPerChat: 1 }, () => 0);
  pace.hold(5);
  expect([pace.waitMs(5, true) > 0, pace.waitMs(6, true)]).toEqual([true, 0]);
  pace.hold(6);
  expect(pace.waitMs(7, true)).toBeGreaterThan(0);
  pace.letGo(5);
  expect([pace.waitMs(5, true), pace.waitMs(7, true)]).toEqual([0, 0]);
  pace.take(6);
  expect([pace.waitMs(5, true), pace.waitMs(6, true) > 0]).toEqual([0, true]);
  pace.take(5);
  expect(pace.waitMs(7, true)).toBeGreaterThan(0);
});

test('in a group part of the minute is kept for answers to one person', () => {
  const pace = createPace({ ...TELEGRAM_PACE, burstPerChat: 100, overallBurst: 100, overallPerSecond: 100 }, () => 0);
  const { perGroupPerMinute, keptPerGroupPerMinute } = TELEGRAM_PACE;
  for (let sent = 0; sent < perGroupPerMinute - keptPerGroupPerMinute; sent++) pace.take(-5);
  expect([pace.waitMs(-5, true), pace.waitMs(-5, false)]).toEqual([0, 61_000]);
  for (let sent = 0; sent < keptPerGroupPerMinute; sent++) pace.take(-5);
  expect(pace.waitMs(-5, true)).toBe(61_000);
  expect(pace.waitMs(5, false)).toBe(0);
});
