import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RESERVED_AFTER_MS, TASK_LIFE_MS } from '../../../core/tasks.ts';
import { expireTasks } from '../../../db/tasks/expire.ts';
import { findTask } from '../../../db/tasks/find.ts';
import { openTaskBooks, type TaskBooks } from './world.ts';

let books: TaskBooks;
beforeEach(async () => {
  books = await openTaskBooks();
});
afterEach(async () => {
  await books.assertSound();
  await books.close();
});

async function later(ms: number): Promise<void> {
  books.clock.nowMs += ms;
  await expireTasks(books.store, books.clock.nowMs);
}
const statusOf = async (taskId: string) => (await findTask(books.store, taskId))?.task.status ?? null;

describe('a task that nobody pays', () => {
  test('stands open for an hour, and a transfer after that pays it still', async () => {
    const { task, offer } = await books.open();
    await later(TASK_LIFE_MS - 1);
    expect(await statusOf(task.id)).toBe('open');
    await later(1);
    expect(await statusOf(task.id)).toBe('expired');
    await later(RESERVED_AFTER_MS - 1);
    await books.land({ value: offer.amountMicroUsdc });
    expect(await books.round()).toEqual(['paid']);
  });

  test('counts against its caller no longer once it has expired', async () => {
    await books.open({ unpaidMax: 1 });
    await later(TASK_LIFE_MS);
    expect((await books.open({ unpaidMax: 1 })).task.status).toBe('open');
  });

  test('is forgotten after a week more, and its amount is free', async () => {
    const { task, offer } = await books.open({}, () => 0);
    await later(TASK_LIFE_MS + RESERVED_AFTER_MS);
    expect(await statusOf(task.id)).toBeNull();
    const next = await books.open({}, () => 0);
    expect(next.offer.amountMicroUsdc).toBe(offer.amountMicroUsdc);
  });

  test('is not forgotten while its transfer is on the chain and not safe yet', async () => {
    const { task, offer } = await books.open();
    await books.land({ value: offer.amountMicroUsdc }, { isSafe: false });
    await later(TASK_LIFE_MS + RESERVED_AFTER_MS);
    expect(await statusOf(task.id)).toBe('expired');
    await books.mine([], books.height() + 1);
    expect(await books.round()).toEqual(['paid']);
  });

  test('nor while its plain price, which the memo makes its own, is', async () => {
    const { task, offer } = await books.open();
    await books.land({ value: offer.priceMicroUsdc, memo: task.memo }, { isSafe: false });
    await later(TASK_LIFE_MS + RESERVED_AFTER_MS);
    expect(await statusOf(task.id)).toBe('expired');
    await books.mine([], books.height() + 1);
    expect(await books.round()).toEqual(['paid']);
  });
});

test('the amount of a paid task stays reserved as long: who pays twice pays nobody else’s task', async () => {
  const { task, offer } = await books.open({}, () => 0);
  await books.land({ value: offer.amountMicroUsdc });
  await books.round();
  expect((await books.open({}, () => 0)).offer.amountMicroUsdc).toBe(offer.amountMicroUsdc + 1n);
  await later(TASK_LIFE_MS + RESERVED_AFTER_MS);
  expect(await findTask(books.store, task.id)).toMatchObject({ task: { status: 'paid' }, offers: [] });
  expect((await books.open({}, () => 0)).offer.amountMicroUsdc).toBe(offer.amountMicroUsdc);
});
