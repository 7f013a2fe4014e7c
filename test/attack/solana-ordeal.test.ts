/** A slice of `npm run torture -- solana`: kills, drops, late landings, lost replies and 503s, judged against the chain. */
import { expect, test } from 'vitest';
import { endure } from '../../scripts/torture/solana/ordeal.ts';

test('payouts on Solana are exact after kills and every kind of fault of the node', { timeout: 200_000 }, async () => {
  const result = await endure({ payouts: 24, seed: 5, control: '', deaths: 4 });
  expect(result).toMatchObject({ exact: 24, missing: 0, paidTwice: 0, violations: [] });
  expect(result.kills + result.failpoints).toBeGreaterThan(0);
  const struck = Object.values(result.faults).reduce((sum, count) => sum + count, 0);
  expect(struck).toBeGreaterThan(0);
});
