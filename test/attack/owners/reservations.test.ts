/** Strangers who open tasks and pay none: whom they keep from paying by a plain transfer, and for how long. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RESERVATIONS_MAX, TASK_LIFE_MS } from '../../../core/tasks.ts';
import { openTaskBooks, type TaskBooks } from '../../db/tasks/world.ts';
import { open } from '../../support/tasks/tasks.ts';

let books: TaskBooks;
beforeEach(async () => {
  books = await openTaskBooks();
});
afterEach(async () => {
  await books.assertSound();
  await books.close();
});

const ask = (caller: string, unpaidMax: number = RESERVATIONS_MAX) =>
  open(books.store, {
    amount: 0.001,
    caller,
    unpaidMax,
    networks: [{ network: 'base', address: 'task', headBlock: books.height() }],
    nowMs: books.clock.nowMs,
  });

test('twenty price questions keep a caller out for as long as they are open, and the answer says how long', async () => {
  for (let index = 0; index < RESERVATIONS_MAX; index += 1) expect((await ask('203.0.113.1')).kind).toBe('opened');
  const refused = await ask('203.0.113.1');
  expect(refused).toEqual({ kind: 'too-many-open', freeAtMs: books.clock.nowMs + TASK_LIFE_MS });
  books.clock.nowMs += TASK_LIFE_MS - 1;
  expect((await ask('203.0.113.1')).kind).toBe('too-many-open');
  books.clock.nowMs += 1;
  // No worker has expired them.
  expect((await ask('203.0.113.1')).kind).toBe('opened');
});

/** As if others had opened as many tasks of this price as leave so many of its 999 amounts free. */
async function leaveAmounts(left: number): Promise<void> {
  const { tasks, taskOffers } = books.store.tables;
  const { task, offer } = await books.open({ amount: 5, caller: null });
  const amounts = Array.from({ length: 999 - left }, (_, index) => 1_001n + BigInt(index));
  const idOf = (amount: bigint) => `task_${amount}`;
  const priced = { ...offer, priceMicroUsdc: 1_000n };
  await books.store.tx(async (db) => {
    await db.insert(tasks).values(amounts.map((amount) => ({ ...task, id: idOf(amount), memo: idOf(amount) })));
    const held = amounts.map((amount) => ({ ...priced, taskId: idOf(amount), amountMicroUsdc: amount }));
    await db.insert(taskOffers).values(held);
  });
}

test.each([
  ['leaves amounts of its price for all others', RESERVATIONS_MAX, 'opened'],
  ['CONTROL: without the limit takes all amounts of its price from all others', Infinity, 'no-amount-free'],
] as const)('a caller that never pays %s', async (_title, unpaidMax, kind) => {
  await leaveAmounts(30);
  await Promise.all(Array.from({ length: 40 }, () => ask('203.0.113.1', unpaidMax)));
  expect((await ask('203.0.113.2')).kind).toBe(kind);
});
