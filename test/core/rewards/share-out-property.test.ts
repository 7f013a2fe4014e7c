import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../../core/errors.ts';
import { microUsdc } from '../../../core/money.ts';
import { ENGAGEMENT_KINDS, type Engaged } from '../../../core/rewards/engagement.ts';
import { shareOut, type ShareOut, type ShareOutInput } from '../../../core/rewards/share-out.ts';

const MIN = 10_000n;
const MAX = 10_000_000n;
const RUNS = 400;

const weight = fc.oneof(fc.constantFrom(0n, 1n, 1_000_000n, 100_000_000n), fc.bigInt({ min: 0n, max: 100_000_000n }));
const weights = fc
  .record({ like: weight, comment: weight, repost: weight })
  .filter(({ like, comment, repost }) => like + comment + repost > 0n);

const time = fc.option(fc.nat({ max: 5 }), { nil: undefined });
const people = fc
  .uniqueArray(fc.record({ id: fc.integer({ min: 1, max: 1_000_000 }), like: time, comment: time, repost: time }), {
    maxLength: 130,
    selector: ({ id }) => id,
  })
  .map((made) => made.map(({ id, ...times }): Engaged => ({ userId: String(id), firstAtMs: drop(times) })));

/** A kind that was not done is absent. */
function drop(times: Partial<Record<string, number | undefined>>): Engaged['firstAtMs'] {
  return Object.fromEntries(Object.entries(times).filter(([, atMs]) => atMs !== undefined));
}

/** Around everything that decides: the smallest payment, the largest, as many times as there are people. */
const budget = fc
  .oneof(
    fc.bigInt({ min: 1n, max: 1_100_000_000n }),
    fc.bigInt({ min: 9_990n, max: 2_000_000n }),
    fc.tuple(fc.bigInt({ min: 0n, max: 130n }), fc.bigInt({ min: -1n, max: 1n })).map(([n, d]) => n * MAX + d),
    fc.tuple(fc.bigInt({ min: 1n, max: 600n }), fc.bigInt({ min: -1n, max: 1n })).map(([n, d]) => n * MIN + d),
  )
  .map((value) => microUsdc(value < 1n ? 1n : value));

const input: fc.Arbitrary<ShareOutInput> = fc
  .record({ budget, weights, people, recipientsMax: fc.integer({ min: 1, max: 100 }), leaving: fc.nat({ max: 3 }) })
  .map(({ leaving, ...rest }) => {
    const ids = rest.people.map(({ userId }) => userId);
    const leftOut = { author: new Set(ids.slice(0, leaving > 0 ? 1 : 0)), excluded: new Set(ids.slice(0, leaving)) };
    return { ...rest, leftOut };
  });

const REFUSALS: readonly string[] = ['no_engagement', 'budget_too_small', 'budget_too_large'];

/** What is shared out, or the name of the refusal. */
function run(asked: ShareOutInput): ShareOut | string {
  try {
    return shareOut(asked);
  } catch (error) {
    if (error instanceof AppError && REFUSALS.includes(error.code)) return error.code;
    throw error;
  }
}

const weightOf = (person: Engaged | undefined, { weights: each }: ShareOutInput): bigint =>
  ENGAGEMENT_KINDS.reduce((sum, kind) => (person?.firstAtMs[kind] === undefined ? sum : sum + each[kind]), 0n);

/** Those whom the rules let take part. */
function takingPart(asked: ShareOutInput): readonly Engaged[] {
  const isOut = (id: string) => asked.leftOut.author?.has(id) === true || asked.leftOut.excluded?.has(id) === true;
  return asked.people.filter((person) => !isOut(person.userId) && weightOf(person, asked) > 0n);
}

/**
 * The contract's sentence taken literally: share by weight, cap everyone above 10, share what they leave among the
 * others, and again; then whole micro-USDC by the largest remainders. Null: some are below 0.01, or it cannot be done.
 */
function literalShares(total: bigint, ranked: readonly bigint[]): bigint[] | null {
  if (total > MAX * BigInt(ranked.length)) return null;
  const isCapped = ranked.map(() => false);
  for (;;) {
    const left = total - MAX * BigInt(isCapped.filter(Boolean).length);
    const sum = ranked.reduce((value, each, index) => (isCapped[index] ? value : value + each), 0n);
    const over = ranked.flatMap((each, index) => (!isCapped[index] && left * each > MAX * sum ? [index] : []));
    for (const index of over) isCapped[index] = true;
    if (over.length > 0) continue;
    const whole = ranked.map((each, index) => (isCapped[index] ? MAX : (left * each) / sum));
    const missing = Number(total - whole.reduce((value, each) => value + each, 0n));
    const remainders = ranked.map((each, index) => ({ index, value: isCapped[index] ? -1n : (left * each) % sum }));
    remainders.sort((a, b) => (a.value === b.value ? a.index - b.index : Number(b.value - a.value)));
    for (const { index } of remainders.slice(0, missing)) whole[index] = (whole[index] ?? 0n) + 1n;
    return whole.every((each) => each >= MIN) ? whole : null;
  }
}

/** The weights of those who take part, highest first: who has which place matters to nobody's amount. */
const rankedWeights = (asked: ShareOutInput) =>
  takingPart(asked)
    .map((person) => weightOf(person, asked))
    .toSorted((a, b) => Number(b - a));

test('the amounts add up to the budget and lie between 0.01 and 10, or there is a named refusal', () => {
  fc.assert(
    fc.property(input, (asked) => {
      const shared = run(asked);
      if (typeof shared === 'string') return;
      const amounts = shared.recipients.map(({ amount }) => BigInt(amount));
      expect(amounts.reduce((sum, each) => sum + each, 0n)).toBe(BigInt(asked.budget));
      expect(amounts.every((each) => each >= MIN && each <= MAX)).toBe(true);
      expect(amounts.length).toBeLessThanOrEqual(asked.recipientsMax);
      expect(shared.recipients.reduce((sum, each) => sum + each.weightMillionths, 0)).toBe(1_000_000);
    }),
    { numRuns: RUNS },
  );
});

test('everybody is either paid or counted as left out, once', () => {
  fc.assert(
    fc.property(input, (asked) => {
      const shared = run(asked);
      if (typeof shared === 'string') return;
      const left = shared.leftOut.reduce((sum, { count }) => sum + count, 0);
      expect(new Set(shared.recipients.map(({ userId }) => userId)).size + left).toBe(asked.people.length);
      const allowed = new Set(takingPart(asked).map(({ userId }) => userId));
      expect(shared.recipients.every(({ userId }) => allowed.has(userId))).toBe(true);
    }),
    { numRuns: RUNS },
  );
});

test('the number of people is the largest that works, and each amount is what the rule says', () => {
  fc.assert(
    fc.property(input, (asked) => {
      const shared = run(asked);
      const ranked = rankedWeights(asked).slice(0, asked.recipientsMax);
      const best = ranked
        .map((_, index) => literalShares(asked.budget, ranked.slice(0, index + 1)))
        .findLast((each) => each !== null);
      if (best !== undefined && best !== null) {
        expect(typeof shared === 'string' ? shared : shared.recipients.map(({ amount }) => BigInt(amount))).toEqual(
          best,
        );
        return;
      }
      const most = MAX * BigInt(ranked.length);
      const refusal = asked.budget > most ? 'budget_too_large' : 'budget_too_small';
      expect(shared).toBe(ranked.length === 0 ? 'no_engagement' : refusal);
    }),
    { numRuns: RUNS },
  );
});

test('the order in which people come changes nothing', () => {
  const shuffled = input.chain((asked) =>
    fc
      .shuffledSubarray([...asked.people], { minLength: asked.people.length })
      .map((mixed) => ({ asked, other: { ...asked, people: mixed } })),
  );
  fc.assert(
    fc.property(shuffled, ({ asked, other }) => {
      expect(run(other)).toEqual(run(asked));
    }),
    { numRuns: RUNS },
  );
});

test('more weight never means a later place or less money, and equal weights differ by a millionth at most', () => {
  fc.assert(
    fc.property(input, (asked) => {
      const shared = run(asked);
      if (typeof shared === 'string') return;
      const byId = new Map(asked.people.map((person) => [person.userId, weightOf(person, asked)]));
      for (const [index, next] of shared.recipients.slice(1).entries()) {
        const before = shared.recipients[index];
        const gap = (byId.get(before?.userId ?? '') ?? 0n) - (byId.get(next.userId) ?? 0n);
        const amountGap = (before?.amount ?? 0n) - next.amount;
        expect(gap).toBeGreaterThanOrEqual(0n);
        expect(amountGap).toBeGreaterThanOrEqual(0n);
        if (gap === 0n) expect(amountGap).toBeLessThanOrEqual(1n);
      }
    }),
    { numRuns: RUNS },
  );
});
