/** Small transfers cost their sender next to nothing: thousands of them must hold up nobody’s task, and not the scan. */
import { and, count, eq, isNull } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTaskBooks, SENDER, TASK, type TaskBooks } from './world.ts';

const OPEN_TASKS = 10_000;
const STRAYS = 2_000;
const AT_ONCE = 500;

let books: TaskBooks;
beforeEach(async () => {
  books = await openTaskBooks();
});
afterEach(() => books.close());

const inParts = (total: number) => Array.from({ length: total / AT_ONCE }, (_, part) => part * AT_ONCE);
const numbersFrom = (start: number) => Array.from({ length: AT_ONCE }, (_, index) => start + index);

/** As if each had been opened by another caller. */
async function openMany(): Promise<void> {
  const { tasks, taskOffers } = books.store.tables;
  const { task } = await books.open({ caller: null });
  const base = { ...task, caller: null };
  for (const start of inParts(OPEN_TASKS)) {
    await books.store.tx(async (db) => {
      await db
        .insert(tasks)
        .values(numbersFrom(start).map((id) => ({ ...base, id: `task_${id}`, memo: `memo_${id}` })));
      await db.insert(taskOffers).values(
        numbersFrom(start).map((id) => ({
          taskId: `task_${id}`,
          network: 'base' as const,
          address: TASK,
          priceMicroUsdc: BigInt(id) * 997n + 20_000_000n,
          amountMicroUsdc: BigInt(id) * 997n + 20_000_007n,
          headBlock: 0,
          reused: false,
        })),
      );
    });
  }
}

async function sendStrays(): Promise<void> {
  const { observedTransfers } = books.store.tables;
  const stray = { network: 'base' as const, logIndex: 0, block: books.height(), blockHash: 'b', fromAddress: SENDER };
  const landed = { toAddress: TASK, amountMicroUsdc: 1n, outgoing: false, returnWanted: false, landed: true };
  for (const start of inParts(STRAYS)) {
    await books.store.tx((db) =>
      db.insert(observedTransfers).values(
        numbersFrom(start).map((id) => ({
          ...stray,
          ...landed,
          fact: `base:log:${id}:0`,
          transaction: `0x${id}`,
          landings: 1,
          seenAtMs: books.clock.nowMs,
        })),
      ),
    );
  }
}

async function unexplained(): Promise<number> {
  const { observedTransfers } = books.store.tables;
  const open = and(isNull(observedTransfers.consumedBy), eq(observedTransfers.landed, true));
  const [row] = await books.store.read.select({ number: count() }).from(observedTransfers).where(open);
  return row?.number ?? 0;
}

test('beside ten thousand open tasks and thousands of strays a transfer is matched at once', async () => {
  await openMany();
  const { task, offer } = await books.open({ caller: null });
  await books.land({ value: offer.amountMicroUsdc });
  await sendStrays();
  const startedMs = performance.now();
  const fits = await books.fits();
  // Each with each would take many seconds.
  expect(performance.now() - startedMs).toBeLessThan(5_000);
  expect(fits.map((fit) => fit.task.id)).toEqual([task.id]);
});

test('what nothing explains goes to suspense in steps, so that each of them ends', async () => {
  await sendStrays();
  books.clock.nowMs += 3_600_000;
  const left: number[] = [];
  for (let step = 0; step < 4; step += 1) {
    await books.mine([], books.height() + 1);
    left.push(await unexplained());
  }
  expect(left).toEqual([1_500, 1_000, 500, 0]);
  await books.assertSound();
});
