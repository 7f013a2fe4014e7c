import fc from 'fast-check';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

const process = fc.constantFrom<0 | 1>(0, 1);
/** Which of the orders that there are, from the newest on, whatever their number. */
const which = fc.oneof(fc.constant(0), fc.nat({ max: 30 }));
const limitCents = fc.oneof(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 1, max: 10_000 }));
/** One thing that a person, or time, does to the orders of one wallet. */
export const capsCommand = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('tip' as const, 'tip' as const, 'think' as const),
      process,
      cents: fc.integer({ min: 1, max: 1_000 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('storm' as const), cents: fc.integer({ min: 100, max: 900 }) }),
  },
  ...(['price', 'sign', 'sign', 'lose', 'answer', 'drop', 'refuse', 'reopen', 'redeliver'] as const).map((kind) => ({
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant(kind), process, which }),
  })),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('release' as const), process }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('regret' as const),
      process,
      cents: fc.integer({ min: 1, max: 1_000 }),
      limitCents,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('limit' as const), process, cents: limitCents }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const), process }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('lock' as const, 'unlock' as const), process }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(MINUTE_MS, 6 * MINUTE_MS, HOUR_MS, 25 * HOUR_MS),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('midnight' as const) }) },
);
export type CapsCommand = typeof capsCommand extends fc.Arbitrary<infer Value> ? Value : never;
