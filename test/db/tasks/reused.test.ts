import { afterEach, beforeEach, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { TASK_LIFE_MS } from '../../../core/tasks.ts';
import { expireTasks } from '../../../db/tasks/expire.ts';
import type { OfferRow, TaskRow } from '../../../db/tasks/open.ts';
import { openTaskBooks, SENDER, type TaskBooks } from './world.ts';

/** An amount that an expired task had and another one has now: no transfer pays a task that its payer did not mean. */
let books: TaskBooks;
let first: Opened;
let second: Opened;
type Opened = { task: TaskRow; offer: OfferRow };

beforeEach(async () => {
  books = await openTaskBooks();
});
afterEach(async () => {
  await books.assertSound();
  await books.close();
});

const address = (digit: string) => ({ network: 'base' as const, address: `0x${digit.repeat(40)}` });

/** Two tasks of the same amount, the second opened when the first has expired. */
async function openBoth(refunds: [string | null, string | null] = [null, null]): Promise<void> {
  const open = async (refund: string | null): Promise<Opened> => {
    const refundAddresses = refund === null ? [] : [address(refund)];
    const { task, offer } = await books.open({ caller: null, refundAddresses }, () => 0);
    return { task, offer };
  };
  first = await open(refunds[0]);
  books.clock.nowMs += TASK_LIFE_MS;
  await books.mine([], books.height() + 1);
  second = await open(refunds[1]);
  await handOver();
}

/** As opening does where half of a price's amounts are taken. */
async function handOver(): Promise<void> {
  const { taskOffers } = books.store.tables;
  const headBlock = books.height();
  const { amountMicroUsdc } = first.offer;
  await books.store.tx(async (db) => {
    await db.update(taskOffers).set({ untilBlock: headBlock }).where(eq(taskOffers.taskId, first.task.id));
    const now = { amountMicroUsdc, headBlock, reused: true };
    await db.update(taskOffers).set(now).where(eq(taskOffers.taskId, second.task.id));
  });
}

/** The scan reads a block of now, and the second task's time is over. */
async function expireSecond(): Promise<void> {
  books.clock.nowMs += TASK_LIFE_MS;
  await setBlockTime(books.clock.nowMs);
  await expireTasks(books.store, books.clock.nowMs);
}

async function setBlockTime(atMs: number): Promise<void> {
  const { scanCursors } = books.store.tables;
  await books.store.tx((db) => db.update(scanCursors).set({ blockTime: Math.ceil(atMs / 1_000) }));
}

const amount = () => ({ value: first.offer.amountMicroUsdc });
const paidTasks = async () => (await books.fits()).map(({ task }) => task.id);

test('while the second is open, a transfer of it pays the second', async () => {
  await openBoth();
  await books.land(amount());
  expect(await paidTasks()).toEqual([second.task.id]);
  expect(await books.round()).toEqual(['paid']);
});

test('one that had landed before pays the first, late as it is', async () => {
  await openBoth();
  const { taskOffers } = books.store.tables;
  await books.land(amount());
  const at = { untilBlock: books.height() };
  await books.store.tx((db) => db.update(taskOffers).set(at).where(eq(taskOffers.taskId, first.task.id)));
  const later = { headBlock: books.height() };
  await books.store.tx((db) => db.update(taskOffers).set(later).where(eq(taskOffers.taskId, second.task.id)));
  expect(await paidTasks()).toEqual([first.task.id]);
});

test('when the second has expired too, a transfer pays neither, but by the memo of one of them', async () => {
  await openBoth();
  await expireSecond();
  await books.land(amount());
  expect(await paidTasks()).toEqual([]);
  await books.land({ value: first.offer.priceMicroUsdc, memo: first.task.memo });
  expect(await paidTasks()).toEqual([first.task.id]);
});

test('before the scan has passed its time, the second is still paid by what lands', async () => {
  await openBoth();
  books.clock.nowMs += TASK_LIFE_MS;
  await setBlockTime(books.clock.nowMs - TASK_LIFE_MS);
  await expireTasks(books.store, books.clock.nowMs);
  await books.land(amount());
  expect(await paidTasks()).toEqual([second.task.id]);
});

async function returnedTo(): Promise<string[]> {
  await books.mine([], books.height() + 1);
  const rows = await books.store.read.select().from(books.store.tables.refunds);
  return rows.map(({ payer }) => payer);
}

test('what pays neither goes back where both want their money back', async () => {
  await openBoth(['a', 'a']);
  await expireSecond();
  await books.land(amount());
  expect(await returnedTo()).toEqual([address('a').address]);
});

test.each([
  ['differ', ['a', 'b']],
  ['are not both known', ['a', null]],
] as const)(
  'it waits for the operator where their addresses %s: a stranger’s might be one of them',
  async (_title, refunds) => {
    await openBoth([...refunds]);
    await expireSecond();
    const late = await books.land(amount());
    expect(await returnedTo()).toEqual([]);
    books.clock.nowMs += 3_600_000;
    await books.mine([], books.height() + 1);
    expect(await books.rowOf(late)).toMatchObject({ consumedBy: 'suspense', fromAddress: SENDER });
  },
);

test('CONTROL: without the end of the first, a transfer for the second fits both', async () => {
  await openBoth();
  const { taskOffers } = books.store.tables;
  const never = { untilBlock: 1_000_000 };
  await books.store.tx((db) => db.update(taskOffers).set(never).where(eq(taskOffers.taskId, first.task.id)));
  await books.land(amount());
  expect((await paidTasks()).toSorted()).toEqual([first.task.id, second.task.id].toSorted());
});
