import { describe, expect, test } from 'vitest';
import {
  changeLimit,
  DEFAULT_LIMITS,
  LARGEST_LIMITS,
  LIMIT_NAMES,
  limitsAt,
  RAISE_WAIT_MS,
  raisesAfter,
  storedLimitsSchema,
  withoutRaises,
} from '../../../core/wallets/spending-limits.ts';
import { microUsdc } from '../../../core/money.ts';

const NOW = Date.UTC(2026, 10, 21);
const usdc = (amount: number) => microUsdc(BigInt(amount * 1_000_000));

test('a wallet that nobody has changed spends 10 a tip, asks above 2, and stops at 25 a day', () => {
  expect(limitsAt({}, NOW)).toEqual({ tip: usdc(10), ask: usdc(2), day: usdc(25) });
  expect(raisesAfter({}, NOW)).toEqual([]);
});

test('a lower limit holds at once', () => {
  const stored = changeLimit({}, 'day', usdc(5), NOW);
  expect(limitsAt(stored, NOW)).toEqual({ ...DEFAULT_LIMITS, day: usdc(5) });
});

test('a higher limit holds after 24 hours, and not a moment before', () => {
  const stored = changeLimit({}, 'day', usdc(50), NOW);
  expect(raisesAfter(stored, NOW)).toEqual([{ name: 'day', to: usdc(50), atMs: NOW + RAISE_WAIT_MS }]);
  expect(limitsAt(stored, NOW + RAISE_WAIT_MS - 1).day).toBe(usdc(25));
  expect(limitsAt(stored, NOW + RAISE_WAIT_MS).day).toBe(usdc(50));
  expect(raisesAfter(stored, NOW + RAISE_WAIT_MS)).toEqual([]);
});

describe('a raise that is still to come', () => {
  const raising = changeLimit({}, 'day', usdc(50), NOW);
  const later = NOW + RAISE_WAIT_MS;

  test('is forgotten with a lower limit', () => {
    expect(limitsAt(changeLimit(raising, 'day', usdc(20), NOW + 1), later).day).toBe(usdc(20));
  });

  test('is forgotten when the limit is set to what it is', () => {
    expect(limitsAt(changeLimit(raising, 'day', usdc(25), NOW + 1), later).day).toBe(usdc(25));
  });

  test('begins to wait anew with another one', () => {
    const again = changeLimit(raising, 'day', usdc(60), later - 1);
    expect(limitsAt(again, later).day).toBe(usdc(25));
    expect(limitsAt(again, later - 1 + RAISE_WAIT_MS).day).toBe(usdc(60));
  });

  test('can be taken back, and what holds then stays', () => {
    expect(limitsAt(withoutRaises(raising, NOW + 1), later).day).toBe(usdc(25));
    expect(limitsAt(withoutRaises(raising, later), later).day).toBe(usdc(50));
  });

  test('leaves the other limits alone', () => {
    expect(limitsAt(changeLimit(raising, 'tip', usdc(1), NOW), later)).toEqual({
      tip: usdc(1),
      ask: usdc(2),
      day: usdc(50),
    });
  });
});

test('no row allows more than the largest limits', () => {
  const row = storedLimitsSchema.parse(Object.fromEntries(LIMIT_NAMES.map((name) => [name, { now: '999999999999' }])));
  expect(limitsAt(row, NOW)).toEqual(LARGEST_LIMITS);
});
