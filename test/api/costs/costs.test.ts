import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCosts } from '../../../api/costs/costs.ts';
import { expectedCost } from '../../../core/costs/allowance.ts';
import { nextDayMs } from '../../../db/limits/daily.ts';
import { openBooks, type Books } from '../../support/books.ts';

const PAYING = { payer: `0x${'99'.repeat(20)}`, recipients: [], isWhole: false, isAgreed: false };
let books: Books;

beforeEach(async () => {
  books = await openBooks();
});
afterEach(() => books.close());

/** A day that carries two payments of strangers. */
function start(clock: { nowMs: number }) {
  const dailyUnits = 5n * expectedCost('base', 1);
  const rules = { base: { dailyUnits, lineMicroUsdc: 10_000n } };
  const costs = createCosts({ store: books.store, now: () => clock.nowMs, rules, ageMinMs: 0 });
  return { ...costs, take: () => costs.grant('base', 1_000_000n, 1, PAYING) };
}

test('what a payment was given comes back to its day, and to no other', async () => {
  const clock = { nowMs: Date.UTC(2026, 10, 23, 23, 59) };
  const costs = start(clock);
  const [first, second] = [await costs.take(), await costs.take()];
  expect(await costs.take()).toBeNull();
  if (first === null || second === null) throw new Error('the day carries two');
  costs.giveBack(first);
  expect(await costs.take()).toEqual(first);
  clock.nowMs = nextDayMs(clock.nowMs);
  expect(await costs.take()).not.toBeNull();
  costs.giveBack(second);
  expect(await costs.take()).not.toBeNull();
  expect(await costs.take()).toBeNull();
});
