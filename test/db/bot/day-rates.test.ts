import { afterEach, beforeEach, expect, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import { knownCurrencies, noteRates, ratesSince } from '../../../db/tips/day-rates.ts';
import { openBooks, type Books } from '../../support/books.ts';
import { onBothDatabases } from '../../support/postgres.ts';

const DAY_MS = 24 * 3_600_000;
const FIRST_MS = Date.UTC(2026, 10, 20);
const rates = (euro: bigint) =>
  new Map([
    ['GBP', microUsdc(1_270_000n)],
    ['EUR', microUsdc(euro)],
  ]);

let books: Books;

onBothDatabases((fresh) => {
  beforeEach(async () => {
    books = await openBooks(await fresh());
  });
  afterEach(() => books.close());

  test('a day keeps the last rate that was said on it, whatever is said later', async () => {
    const { store } = books;
    expect(await knownCurrencies(store)).toEqual([]);
    await noteRates(store, rates(108_000_000n), FIRST_MS);
    await noteRates(store, rates(1_080_000n), FIRST_MS + DAY_MS - 1);
    await noteRates(store, rates(1_100_000n), FIRST_MS + 2 * DAY_MS);
    const rateAt = await ratesSince(store, 'EUR', FIRST_MS + 5);
    const days = [0, DAY_MS - 1, DAY_MS, 2 * DAY_MS].map((afterMs) => rateAt(FIRST_MS + afterMs));
    expect(days).toEqual([1_080_000n, 1_080_000n, null, 1_100_000n]);
    expect(await knownCurrencies(store)).toEqual(['EUR', 'GBP']);
    expect((await ratesSince(store, 'CHF', FIRST_MS))(FIRST_MS)).toBe(null);
  });

  test('where nothing has changed nothing is written', async () => {
    const { store } = books;
    await noteRates(store, rates(1_080_000n), FIRST_MS);
    const idle = { ...store, tx: () => Promise.reject(new Error('nothing is to be written')) };
    await noteRates(idle, rates(1_080_000n), FIRST_MS + 1);
    await expect(noteRates(idle, rates(1_090_000n), FIRST_MS + 1)).rejects.toThrow('nothing is to be written');
  });
});
