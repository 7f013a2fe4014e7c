import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { costCounters } from '../../../db/costs/counters.ts';
import { dayOf } from '../../../db/limits/daily.ts';
import { addWithin } from '../../../db/store/counters.ts';
import { openBooks, type Books } from '../../support/books.ts';
import { watchSpending } from '../../../worker/networks/spending.ts';

const DAY_MS = 24 * 3_600_000;
let books: Books;
let lines: { spent: number; budget: number }[];

beforeEach(async () => {
  books = await openBooks();
  lines = [];
});
afterEach(() => books.close());

function watch(dailyUnits: bigint | null) {
  const write = (text: string) => void lines.push(JSON.parse(text) as { spent: number; budget: number });
  return watchSpending({
    store: books.store,
    network: 'base',
    rules: { dailyUnits, lineMicroUsdc: 10_000n },
    now: () => books.clock.nowMs,
    log: pino({ level: 'warn' }, { write }),
  });
}

const spend = (units: bigint) =>
  books.store.tx((db) => addWithin(db, books.store, costCounters.gas('base', dayOf(books.clock.nowMs)), units));

test('from half of the day’s budget on there is one line in the log, and at its end the network is out', async () => {
  const look = watch(1_000_000_000n);
  await spend(499_999_999n);
  expect([await look(), lines.length]).toEqual([null, 0]);
  await spend(1n);
  expect([await look(), await look(), lines.length]).toEqual([null, null, 1]);
  expect(lines[0]).toMatchObject({ spent: 0.5, budget: 1, coin: 'ETH' });
  await spend(500_000_000n);
  expect(await look()).toBe('budget');
  books.clock.nowMs += DAY_MS;
  expect(await look()).toBe(null);
});

test('without a budget nothing is too much', async () => {
  const look = watch(null);
  await spend(10n ** 15n);
  expect([await look(), lines.length]).toEqual([null, 0]);
});
