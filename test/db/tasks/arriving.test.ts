import { afterEach, beforeEach, expect, test } from 'vitest';
import { isTransferArriving } from '../../../db/tasks/arriving.ts';
import { openTaskBooks, type TaskBooks } from './world.ts';

let books: TaskBooks;
beforeEach(async () => {
  books = await openTaskBooks();
});
afterEach(() => books.close());

test('a transfer arrives from its block on until it has paid, and not any more when its block is lost', async () => {
  const { task, offer } = await books.open();
  const isArriving = () => isTransferArriving(books.store, task.id);
  expect(await isArriving()).toBe(false);
  const transfer = await books.land({ value: offer.amountMicroUsdc }, { isSafe: false });
  expect(await isArriving()).toBe(true);
  await books.lose(transfer);
  expect(await isArriving()).toBe(false);
  await books.landAgain({ ...transfer, block: transfer.block + 1 });
  expect(await isArriving()).toBe(true);
  await books.mine([], books.height() + 1);
  expect(await books.round()).toEqual(['paid']);
  expect(await isArriving()).toBe(false);
});

test('the exact price arrives with the memo of its task only', async () => {
  const [one, other] = [await books.open(), await books.open()];
  await books.land({ value: one.offer.priceMicroUsdc, memo: one.task.memo });
  expect(await isTransferArriving(books.store, one.task.id)).toBe(true);
  expect(await isTransferArriving(books.store, other.task.id)).toBe(false);
});

test('what is another amount, or for another task, does not arrive', async () => {
  const [one, other] = [await books.open(), await books.open()];
  await books.land({ value: one.offer.amountMicroUsdc + 1n });
  await books.land({ value: other.offer.amountMicroUsdc });
  expect(await isTransferArriving(books.store, one.task.id)).toBe(false);
});
