import { describe, expect, test } from 'vitest';
import { AppError } from '../../../core/errors.ts';
import { microUsdc, parseDecimalUsdc, type MicroUsdc } from '../../../core/money.ts';
import type { Engaged, EngagementKind } from '../../../core/rewards/engagement.ts';
import { shareOut, type ShareOutInput } from '../../../core/rewards/share-out.ts';
import { DEFAULT_WEIGHTS } from '../../../core/rewards/weights.ts';

const usdc = (text: string): MicroUsdc => parseDecimalUsdc(text) ?? microUsdc(0n);

function person(userId: string, kinds: string, atMs = 0): Engaged {
  const done = (['like', 'comment', 'repost'] as const).filter((kind) => kinds.includes(kind.charAt(0)));
  const firstAtMs: Partial<Record<EngagementKind, number>> = {};
  for (const kind of done) firstAtMs[kind] = atMs;
  return { userId, firstAtMs };
}

function share(changed: Partial<ShareOutInput>) {
  return shareOut({
    budget: usdc('1'),
    recipientsMax: 100,
    weights: DEFAULT_WEIGHTS,
    people: [],
    leftOut: {},
    ...changed,
  });
}

function refusal(changed: Partial<ShareOutInput>): string {
  try {
    share(changed);
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
  return 'none';
}

const amounts = (changed: Partial<ShareOutInput>) => share(changed).recipients.map(({ amount }) => Number(amount));
const order = (changed: Partial<ShareOutInput>) => share(changed).recipients.map(({ userId }) => userId);

describe('ranks', () => {
  test('a like counts 1, a comment 2 and a repost 3, one of each', () => {
    const people = [person('1', 'l'), person('2', 'c'), person('3', 'r'), person('4', 'lcr')];
    const { recipients } = share({ budget: usdc('1.2'), people });
    expect(recipients.map(({ userId, amount }) => [userId, Number(amount)])).toEqual([
      ['4', 600_000],
      ['3', 300_000],
      ['2', 200_000],
      ['1', 100_000],
    ]);
  });

  test('equal weights are ordered by who came first, then by the smaller id', () => {
    const people = [person('10', 'l', 5), person('9', 'l', 5), person('3', 'l', 4), person('2', 'r', 9)];
    expect(order({ people })).toEqual(['2', '3', '9', '10']);
  });

  test('a person who did several things counts from the first of them', () => {
    const early: Engaged = { userId: '2', firstAtMs: { like: 9, comment: 1, repost: 7 } };
    const late: Engaged = { userId: '1', firstAtMs: { like: 2, comment: 5, repost: 6 } };
    expect(order({ people: [late, early] })).toEqual(['2', '1']);
  });

  test('what has weight 0 earns no earlier place', () => {
    const weights = { ...DEFAULT_WEIGHTS, like: 0n };
    const early: Engaged = { userId: '1', firstAtMs: { like: 1, repost: 9 } };
    expect(order({ weights, people: [early, person('2', 'r', 5)] })).toEqual(['2', '1']);
  });

  test('ranks are counted from 1, and weights add up to a million millionths', () => {
    const { recipients } = share({ people: [person('1', 'l'), person('2', 'l'), person('3', 'l')] });
    expect(recipients.map(({ rank, weightMillionths }) => [rank, weightMillionths])).toEqual([
      [1, 333_334],
      [2, 333_333],
      [3, 333_333],
    ]);
  });
});

describe('amounts', () => {
  const three = [person('1', 'l'), person('2', 'l'), person('3', 'l')];

  test('what does not divide goes to the largest remainders', () => {
    // 100000.2, 200000.5 and 300000.8 micro-USDC would be exact for 600,001 and weights 1, 2, 3 of 6.
    expect(
      amounts({ budget: microUsdc(600_001n), people: [person('1', 'r'), person('2', 'c'), person('3', 'l')] }),
    ).toEqual([300_001, 200_000, 100_000]);
    expect(amounts({ budget: microUsdc(1_000_001n), people: three })).toEqual([333_334, 333_334, 333_333]);
  });

  test('nobody gets more than 10, and the surplus goes to the others by weight', () => {
    const people = [person('1', 'lcr'), person('2', 'r'), person('3', 'c'), person('4', 'l')];
    // By weight 16, 8, 5.33 and 2.67 of 32: six are left for 3 : 2 : 1, which gives the second 11.
    expect(amounts({ budget: usdc('32'), people })).toEqual([10_000_000, 10_000_000, 8_000_000, 4_000_000]);
  });

  test('as many as possible are paid, each at least 0.01', () => {
    const people = [person('1', 'r'), person('2', 'r'), person('3', 'l')];
    expect(amounts({ budget: usdc('0.07'), people })).toEqual([30_000, 30_000, 10_000]);
    const { recipients, leftOut } = share({ budget: usdc('0.06999'), people });
    expect(recipients.map(({ amount }) => Number(amount))).toEqual([34_995, 34_995]);
    expect(leftOut).toEqual([{ reason: 'share_too_small', count: 1 }]);
  });

  test('what counts is what a recipient gets, not the share before rounding', () => {
    const people = [person('1', 'r'), person('2', 'r'), person('3', 'l')];
    expect(amounts({ budget: usdc('0.069999'), people })).toEqual([30_000, 29_999, 10_000]);
  });

  test('no more are paid than may be', () => {
    const { recipients, leftOut } = share({ recipientsMax: 2, people: three });
    expect(recipients.map(({ userId }) => userId)).toEqual(['1', '2']);
    expect(leftOut).toEqual([{ reason: 'max_recipients', count: 1 }]);
  });

  test('fewer may be paid than fit, and fewer are paid than may be: both are counted', () => {
    const people = [...three, person('4', 'l')];
    expect(share({ budget: usdc('0.02'), recipientsMax: 3, people }).leftOut).toEqual([
      { reason: 'max_recipients', count: 1 },
      { reason: 'share_too_small', count: 1 },
    ]);
  });
});

describe('who is left out', () => {
  const people = ['1', '2', '3', '4', '5', '6', '7'].map((userId) => person(userId, 'r'));

  test('is counted under one reason, the first that fits', () => {
    const leftOut = {
      author: new Set(['1']),
      creator: new Set(['1', '2']),
      excluded: new Set(['2', '3', 'nobody']),
      opted_out: new Set(['4']),
      nameless: new Set(['5', '6']),
    };
    const shared = share({ people: [...people, person('8', 'l')], weights: { ...DEFAULT_WEIGHTS, like: 0n }, leftOut });
    expect(shared.recipients.map(({ userId }) => userId)).toEqual(['7']);
    expect(shared.leftOut).toEqual([
      { reason: 'author', count: 1 },
      { reason: 'creator', count: 1 },
      { reason: 'excluded', count: 1 },
      { reason: 'opted_out', count: 1 },
      { reason: 'nameless', count: 2 },
      { reason: 'no_weight', count: 1 },
    ]);
  });

  test('takes nobody else’s place', () => {
    expect(order({ recipientsMax: 2, people, leftOut: { author: new Set(['1']) } })).toEqual(['2', '3']);
  });
});

describe('refusals', () => {
  const two = [person('1', 'l'), person('2', 'l')];

  test.each<[string, Partial<ShareOutInput>, string]>([
    ['nobody at all', {}, 'no_engagement'],
    ['nobody but the author', { people: [person('1', 'lcr')], leftOut: { author: new Set(['1']) } }, 'no_engagement'],
    ['0.009999', { budget: microUsdc(9_999n), people: two }, 'budget_too_small'],
    ['0.01', { budget: usdc('0.01'), people: two }, 'none'],
    ['20 for two', { budget: usdc('20'), people: two }, 'none'],
    ['a millionth more', { budget: usdc('20.000001'), people: two }, 'budget_too_large'],
    [
      'more than 10 for the one who may be paid',
      { budget: usdc('10.01'), recipientsMax: 1, people: two },
      'budget_too_large',
    ],
    // The first may have 10, and what is left is less than anybody may get.
    [
      '10.005 of which 0.005 are left',
      {
        budget: usdc('10.005'),
        people: [person('1', 'r'), person('2', 'l')],
        weights: { like: 1n, comment: 0n, repost: 100_000_000n },
      },
      'budget_too_small',
    ],
  ])('%s', (_case, changed, expected) => {
    expect(refusal(changed)).toBe(expected);
  });

  test('a person listed twice is a bug of ours', () => {
    expect(() => share({ people: [person('1', 'l'), person('1', 'r')] })).toThrow('expected each person once');
  });

  test.each([0, 101, 1.5])('%s recipients are a mistake of ours', (recipientsMax) => {
    expect(() => share({ recipientsMax, people: two })).toThrow('expected 1 to 100 recipients');
  });
});
