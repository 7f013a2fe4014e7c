import { expect, test } from 'vitest';
import { equalShares, toNativeUnits } from '../../../core/costs/native-costs.ts';

test.each([
  [0n, 1, [0n]],
  [7n, 3, [3n, 2n, 2n]],
  [-7n, 3, [-3n, -2n, -2n]],
  [5_000n, 1, [5_000n]],
])('%d in %d parts keeps the sum', (amount, count, parts) => {
  const shares = equalShares(amount, count);
  expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(amount);
  expect(shares).toEqual(parts);
});

test('a part of a gwei counts as a whole one, and lamports count as they are', () => {
  expect([1n, 1_000_000_000n, 1_000_000_001n].map((wei) => toNativeUnits('evm', wei))).toEqual([1n, 1n, 2n]);
  expect(toNativeUnits('svm', 10_001n)).toBe(10_001n);
});
