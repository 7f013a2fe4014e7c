import { expect, test } from 'vitest';
import { placesFor, type WaitingOpening } from '../../../core/costs/openings.ts';

const DAY_MS = 24 * 3_600_000;
const one = (account: string, usdc: number, day = 0, isKept = false): WaitingOpening => ({
  account,
  sumMicroUsdc: BigInt(Math.round(usdc * 1_000_000)),
  sinceMs: day * DAY_MS,
  isKept,
});
const ROOM = { all: 2, kept: 2 };

test('of those that come on the same day the larger sums are first', () => {
  const places = placesFor([one('small', 1), one('large', 9), one('middle', 5)], ROOM);
  expect([...places]).toEqual(['large', 'middle']);
});

test('what has waited since another day is first in its turn, however small it is', () => {
  const places = placesFor([one('large', 9, 1), one('middle', 5, 1), one('waited', 1, 0)], ROOM);
  expect([...places]).toEqual(['waited', 'large']);
});

test('a thousand small sums from before leave half of the places to larger ones', () => {
  const small = Array.from({ length: 1_000 }, (_, index) => one(`small${index}`, 1, 0));
  const large = Array.from({ length: 50 }, (_, index) => one(`large${index}`, 2, 1));
  const places = [...placesFor([...small, ...large], { all: 100, kept: 0 })];
  expect(places.filter((account) => account.startsWith('large'))).toHaveLength(50);
});

test('several sums for one account count together and take one place', () => {
  const places = placesFor([one('both', 2), one('other', 3), one('third', 3.5), one('both', 2)], ROOM);
  expect([...places]).toEqual(['both', 'third']);
});

test('wallets that are kept here have their share and no more', () => {
  const waiting = [one('kept1', 9, 0, true), one('kept2', 8, 0, true), one('theirs', 1)];
  expect([...placesFor(waiting, { all: 3, kept: 1 })]).toEqual(['kept1', 'theirs']);
});

test('without room nobody has a place', () => {
  expect(placesFor([one('large', 9)], { all: 0, kept: 0 }).size).toBe(0);
});
