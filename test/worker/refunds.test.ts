/** What an earlier version has left under a bare name of a chat goes back to its payer; what has an owner waits on. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { payersOwed } from '../../db/refunds/create-payouts.ts';
import { linesOf } from '../../db/payments/records/find.ts';
import type { WorkerContext } from '../../worker/dependencies.ts';
import { returnNameless } from '../../worker/refunds.ts';
import { openTaskBooks, type TaskBooks } from '../db/tasks/world.ts';

let books: TaskBooks;
beforeEach(async () => {
  books = await openTaskBooks();
});
afterEach(async () => {
  await books.assertSound();
  await books.close();
});

test('a line under a bare name goes back at once, and one under an id or a handle does not', async () => {
  const nameless = { platform: 'telegram', name: 'anna', stableId: '77' };
  const owned = { platform: 'telegram', name: '78', stableId: '78' };
  const { paymentId } = await books.payDirect({ payees: [nameless, owned, { name: 'bob', stableId: '2' }] });
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const worker = { store: books.store, now: () => books.clock.nowMs, log } as unknown as WorkerContext;
  await returnNameless(worker);
  await returnNameless(worker);
  const states = (await linesOf(books.store, paymentId)).map(({ line }) => [line.status, line.returnReason]);
  expect(states).toEqual([
    ['returning', 'no_answer'],
    ['escrowed', null],
    ['escrowed', null],
  ]);
  expect(await payersOwed(books.store, 'base', 1_000_000n)).toHaveLength(1);
});
