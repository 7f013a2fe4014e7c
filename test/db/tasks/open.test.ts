import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TASK_LIFE_MS } from '../../../core/tasks.ts';
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

const networks = [{ network: 'base' as const, address: TASK, headBlock: 1, untilBlock: null, reused: false }];
const count = async () => {
  const { tasks, taskOffers, taskLoads } = books.store.tables;
  const rows = await Promise.all([tasks, taskOffers, taskLoads].map((table) => books.store.read.select().from(table)));
  return rows.map(({ length }) => length);
};

describe('the amount of a task', () => {
  test('is above the price by a tenth at most, is not round, and is nobody else’s', async () => {
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
    expect(offer.amountMicroUsdc).toBe(10_999n);
  });

  test('is never the plain price of another task', async () => {
    await books.open({ amount: 0.010001 }, () => 7);
    const { offer } = await books.open({ amount: 0.01 }, () => 0);
    expect(offer.amountMicroUsdc).toBe(10_002n);
  });

  test('that one caller was given cannot be another task’s price', async () => {
    await books.open({ amount: 0.01 }, () => 0);
    expect(await open(books.store, { amount: 0.010001, networks, nowMs: books.clock.nowMs })).toEqual({
      kind: 'no-amount-free',
      network: 'base' as const,
      freeAtMs: books.clock.nowMs + TASK_LIFE_MS,
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

/** As many tasks of others as there are amounts of 0.01, which expire one second after the other. */
async function takeAll(left = 0): Promise<void> {
  const { tasks, taskOffers } = books.store.tables;
  const { task, offer } = await books.open({ amount: 5, caller: null });
  const amounts = Array.from({ length: 999 - left }, (_, index) => 10_001n + BigInt(index));
  const idOf = (amount: bigint) => `task_${amount}`;
  await books.store.tx(async (db) => {
    await db.insert(tasks).values(
      amounts.map((amount, index) => ({
        ...task,
        id: idOf(amount),
        memo: idOf(amount),
        expiresAtMs: task.expiresAtMs + index * 1_000,
      })),
    );
    const priced = { ...offer, priceMicroUsdc: 10_000n };
    await db
      .insert(taskOffers)
      .values(amounts.map((amount) => ({ ...priced, taskId: idOf(amount), amountMicroUsdc: amount })));
  });
}

describe('where every amount of a price is taken', () => {
  const wanted = () => ({ amount: 0.01, caller: null, networks, nowMs: books.clock.nowMs });

  test('no task is opened, nothing is counted, and the answer says when one will be', async () => {
    await takeAll();
    const before = await count();
    expect(await open(books.store, { ...wanted(), caller: '203.0.113.9' })).toEqual({
      kind: 'no-amount-free',
      network: 'base' as const,
      freeAtMs: books.clock.nowMs + TASK_LIFE_MS,
    });
    expect(await count()).toEqual(before);
  });

  test('the amounts of expired tasks are given out again, the oldest first', async () => {
    await takeAll();
    books.clock.nowMs += TASK_LIFE_MS + 2_000;
    const amounts: bigint[] = [];
    for (let index = 0; index < 3; index += 1) {
      amounts.push((await books.open({ amount: 0.01, caller: null })).offer.amountMicroUsdc);
    }
    expect(amounts).toEqual([10_001n, 10_002n, 10_003n]);
    expect(await open(books.store, wanted())).toMatchObject({ freeAtMs: books.clock.nowMs + 1_000 });
  });

  test('and not before half of them are taken', async () => {
    await takeAll(500);
    books.clock.nowMs += TASK_LIFE_MS * 2;
    const { offer } = await books.open({ amount: 0.01, caller: null }, () => 0);
    expect(offer).toMatchObject({ amountMicroUsdc: 10_500n, reused: false });
    expect((await books.open({ amount: 0.01, caller: null })).offer).toMatchObject({
      amountMicroUsdc: 10_001n,
      reused: true,
    });
  });
});

describe('a caller', () => {
  test('has so many unpaid tasks and no more; others and our bot have theirs', async () => {
    for (let index = 0; index < 3; index += 1) await books.open({ unpaidMax: 3 });
    expect(await open(books.store, { unpaidMax: 3, networks, nowMs: books.clock.nowMs })).toEqual({
      kind: 'too-many-open',
      freeAtMs: books.clock.nowMs + TASK_LIFE_MS,
    });
    await books.open({ unpaidMax: 3, caller: '203.0.113.8' });
    await books.open({ unpaidMax: 3, caller: null });
  });

  test('a caller with many at once gets no more than that', async () => {
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
