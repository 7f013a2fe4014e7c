/**
 * A group of 200 people over 90 days in which 50 accounts were planted that only collect: aged, idle, and with a delay
 * before each press. Who may take a share, and who gets one, is decided by the rule alone.
 */
import { expect, test } from 'vitest';
import { DROP_PEOPLE_MAX } from '../../../core/drops/drops.ts';
import { countsAnswer, isLongKnown, type AnsweredMessage } from '../../../core/communities/people.ts';

const DAY_MS = 24 * 3_600_000;
const DAYS = 90;
const MEMBERS = 200;
const COLLECTORS = 50;

type Account = { id: number; isPlanted: boolean; firstSeenAtMs: number; answered: AnsweredMessage[]; perDay: number };

/** A generator with a seed, so that a run can be told again. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function createGroup(random: () => number): Account[] {
  const toAccount = (id: number, isPlanted: boolean): Account => ({
    id,
    isPlanted,
    // The planted ones came long ago and waited.
    firstSeenAtMs: isPlanted ? 0 : Math.floor(random() * 45) * DAY_MS,
    answered: [],
    // Few write much, many write little. A planted one says hello now and then, and mostly to nobody.
    perDay: isPlanted ? 0.1 : 0.35 + 4 * random() ** 4,
  });
  return Array.from({ length: MEMBERS + COLLECTORS }, (_, id) => toAccount(id, id >= MEMBERS));
}

/** Of what people write a third is answered; of what an idle account says, next to nothing. */
function talk(group: readonly Account[], day: number, random: () => number): void {
  const here = group.filter((one) => one.firstSeenAtMs <= day * DAY_MS);
  const members = here.filter(({ isPlanted }) => !isPlanted);
  for (const author of here) {
    const messages = Math.floor(author.perDay + random());
    for (let at = 0; at < messages; at++) {
      if (random() > (author.isPlanted ? 0.03 : 1 / 3)) continue;
      const by = members[Math.floor(random() * members.length)];
      if (!by || by === author) continue;
      const answer = { messageId: `${author.id}:${day}:${at}`, byId: String(by.id) };
      if (countsAnswer(author.answered, answer)) author.answered.push(answer);
    }
  }
}

type Outcome = { shares: number; planted: number; members: number; leftOut: number };

/** `isEligible`: the rule; the control lets everybody in who is old enough. */
function play(seed: number, isEligible: (account: Account, nowMs: number) => boolean): Outcome {
  const random = createRandom(seed);
  const group = createGroup(random);
  const outcome: Outcome = { shares: 0, planted: 0, members: 0, leftOut: 0 };
  for (let day = 0; day < DAYS; day++) {
    talk(group, day, random);
    if (day < 30) continue;
    const nowMs = day * DAY_MS;
    // Members who write more are here more often and see more drops; a collector sees all, and presses after a delay.
    const pressing = group
      .filter((one) => one.firstSeenAtMs <= nowMs && (one.isPlanted || random() < Math.min(0.5, 0.15 * one.perDay)))
      .map((one) => ({ one, afterMs: one.isPlanted ? 2_000 + 60_000 * random() : 3_600_000 * random() }))
      .sort((a, b) => a.afterMs - b.afterMs);
    const old = pressing.filter(({ one }) => !one.isPlanted && nowMs - one.firstSeenAtMs >= 30 * DAY_MS);
    outcome.members += old.length;
    outcome.leftOut += old.filter(({ one }) => !isEligible(one, nowMs)).length;
    const taken = pressing.filter(({ one }) => isEligible(one, nowMs)).slice(0, DROP_PEOPLE_MAX);
    outcome.shares += taken.length;
    outcome.planted += taken.filter(({ one }) => one.isPlanted).length;
  }
  return outcome;
}

const byRule = ({ firstSeenAtMs, answered }: Account, nowMs: number): boolean =>
  isLongKnown({ firstSeenAtMs, answered: answered.length }, nowMs);

test('50 planted accounts get at most 2 % of all shares, and at most 10 % of members are left out wrongly', () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const { shares, planted, members, leftOut } = play(seed, byRule);
    expect(shares).toBeGreaterThan(500);
    expect(planted / shares).toBeLessThanOrEqual(0.02);
    expect(leftOut / members).toBeLessThanOrEqual(0.1);
  }
});

test('without the answers of others the same accounts take most of it', () => {
  const { shares, planted } = play(1, ({ firstSeenAtMs }, nowMs) => nowMs - firstSeenAtMs >= 14 * DAY_MS);
  expect(planted / shares).toBeGreaterThan(0.5);
});
