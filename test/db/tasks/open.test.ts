import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OfferRow } from '../../../db/tasks/open.ts';
import { open } from '../../support/tasks/tasks.ts';
import { openTaskBooks, TASK, type TaskBooks } from './world.ts';

let books: TaskBooks;
beforeEach(async () => {
  books = await openTaskBooks();
});
afterEach(async () => {
  await books.assertSound();
  await books.close();
});

const networks = [{ network: 'base' as const, address: TASK, headBlock: 1 }];
const count = async () => {
  const { tasks, taskOffers, taskLoads } = books.store.tables;
  const rows = await Promise.all([tasks, taskOffers, taskLoads].map((table) => books.store.read.select().from(table)));
  return rows.map(({ length }) => length);
};

describe('the amount of a task', () => {
  test('is above the price by less than 0.01, is not round, and is nobody else’s', async () => {
    const amounts = new Set<bigint>();
    for (let index = 0; index < 30; index += 1) {
      // The first free one each time: 1 to 30 above the price, were there nothing to avoid.
      const { offer } = await books.open({ amount: 0.010985, caller: null }, () => 0);
      amounts.add(offer.amountMicroUsdc);
    }
    expect(amounts.size).toBe(30);
    expect(amounts).not.toContain(11_000n);
    expect([...amounts].at(-1)).toBe(10_985n + 31n);
  });

  test('can be the highest, and no higher', async () => {
    const { offer } = await books.open({ amount: 0.01 }, (below) => below - 1);
    expect(offer.amountMicroUsdc).toBe(19_999n);
  });

  test('is never the plain price of another task', async () => {
    await books.open({ amount: 0.010001 }, () => 7);
    const { offer } = await books.open({ amount: 0.01 }, () => 0);
    expect(offer.amountMicroUsdc).toBe(10_002n);
  });

  test('that somebody was told is no price that somebody else may ask for', async () => {
    await books.open({ amount: 0.01 }, () => 0);
    expect(await open(books.store, { amount: 0.010001, networks })).toEqual({
      kind: 'no-amount-free',
      network: 'base',
    });
    expect(await count()).toEqual([1, 1, 1]);
  });

  test('is another one for each of twenty that come at once', async () => {
    const opened = await Promise.all(Array.from({ length: 20 }, () => books.open({ amount: 1 }, () => 0)));
    expect(new Set(opened.map(({ offer }) => offer.amountMicroUsdc)).size).toBe(20);
  });

  test('is one for each network, and both are kept or none', async () => {
    const both = [...networks, { network: 'solana' as const, address: 'Task', headBlock: 5 }];
    const { offers } = await books.open({ networks: both });
    expect(offers.map(({ network, headBlock }) => [network, headBlock])).toEqual([
      ['base', 1],
      ['solana', 5],
    ]);
  });
});

describe('where nothing is free', () => {
  test('no task is opened and nothing is counted', async () => {
    const taken: OfferRow[] = [];
    for (let amount = 10_001n; amount <= 19_999n; amount += 1n) {
      if (amount % 1_000n === 0n) continue;
      const offer = { network: 'base', address: TASK, priceMicroUsdc: 1n, amountMicroUsdc: amount, headBlock: 1 };
      taken.push({ ...offer, taskId: `task_${amount}` });
    }
    const { taskOffers } = books.store.tables;
    await books.store.tx(async (db) => {
      for (let start = 0; start < taken.length; start += 1_000)
        await db.insert(taskOffers).values(taken.slice(start, start + 1_000));
    });
    expect(await open(books.store, { amount: 0.01, networks })).toEqual({ kind: 'no-amount-free', network: 'base' });
    expect((await count())[0]).toBe(0);
    expect((await count())[2]).toBe(0);
  });
});

describe('a caller', () => {
  test('has so many unpaid tasks and no more; others and our bot have theirs', async () => {
    for (let index = 0; index < 3; index += 1) await books.open({ unpaidMax: 3 });
    expect(await open(books.store, { unpaidMax: 3, networks })).toEqual({ kind: 'too-many-open' });
    await books.open({ unpaidMax: 3, caller: '203.0.113.8' });
    await books.open({ unpaidMax: 3, caller: null });
  });

  test('who comes with many at once gets no more than that', async () => {
    const results = await Promise.all(Array.from({ length: 10 }, () => open(books.store, { unpaidMax: 4, networks })));
    expect(results.filter(({ kind }) => kind === 'opened')).toHaveLength(4);
  });

  test('has room again when one is paid', async () => {
    const { offer } = await books.open({ unpaidMax: 1 });
    await books.land({ value: offer.amountMicroUsdc });
    expect(await books.round()).toEqual(['paid']);
    await books.open({ unpaidMax: 1 });
  });
});
