/** The engine that pays everything, over any schedule of lost answers, refusals, ends, thieves and killed processes. */
import { describe, expect, test } from 'vitest';
import { CHARGES, type ChargeRules } from '../../core/payments/charge.ts';
import { createChargeWorld, type Faults } from './charge-world.ts';

const SEEDS = 1_500;
const CONTROL_SEEDS_MAX = 90_000;

async function runAll(rules: ChargeRules) {
  const found = new Map<string, number>();
  const seen = new Set<string>();
  for (let seed = 1; seed <= SEEDS; seed++) {
    const world = createChargeWorld(seed, rules);
    await world.run();
    for (const fault of world.faults) found.set(fault, seed);
    for (const one of world.seen) seen.add(one);
  }
  return { found, seen };
}

/** Goes on until the fault shows: rare ones need a theft in the right second. */
async function isSeen(rules: ChargeRules, faults: Faults, wanted: string): Promise<boolean> {
  for (let seed = 1; seed <= CONTROL_SEEDS_MAX; seed++) {
    const world = createChargeWorld(seed, rules, faults);
    await world.run();
    if (world.faults.includes(wanted)) return true;
  }
  return false;
}

describe.each([
  ['an order', CHARGES.order, ['took_too_long', 'insufficient_funds', 'unreachable', 'failed']],
  ['a reward', CHARGES.reward, ['took_too_long', 'insufficient_funds', 'failed']],
  ['a payment of the command line or the library', CHARGES.library, ['insufficient_funds', 'unreachable']],
])('%s', (_name, rules, reasons) => {
  test('is never signed beside a header that can land, never signed when stale, and always ends', async () => {
    const { found, seen } = await runAll(rules);
    expect(Object.fromEntries(found)).toEqual({});
    // What never happened has proven nothing.
    const always = ['stolen', 'expired', 'given up', 'killed', 'paid', 'out'];
    expect([...always, ...reasons].filter((one) => !seen.has(one))).toEqual([]);
  });

  test.each<[Faults['without'], string]>([
    ['proof', 'paid more than once'],
    ['fresh refusal', 'signed beside a header that has landed'],
    ['conditional writes', 'signed beside a header that can land'],
  ])('without its %s it is seen to be %s', async (without, fault) => {
    expect(await isSeen(rules, { without }, fault)).toBe(true);
  });
});

test('the command line keeps the rules of the library, whose schedules are its own too', () => {
  expect(CHARGES.commandLine).toEqual(CHARGES.library);
});

test('an order without its limit of time is seen to be signed when stale', async () => {
  expect(await isSeen(CHARGES.order, { without: 'freshness' }, 'signed when stale')).toBe(true);
});
