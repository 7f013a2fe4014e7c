/** What has come to a person and gone from them, as the books have it. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { linesOf } from '../../../db/payments/records/find.ts';
import { refundLine } from '../../../db/refunds/refund-line.ts';
import { sumsOfPerson } from '../../../db/tips/mine.ts';
import { openTaskBooks, type TaskBooks } from '../tasks/world.ts';

const PAYER = `0x${'99'.repeat(20)}`;

let books: TaskBooks;
beforeEach(async () => {
  books = await openTaskBooks();
});
afterEach(async () => {
  await books.assertSound();
  await books.close();
});

test('what waits is told to its recipient alone, and what came back counts for nobody', async () => {
  const payees = [
    { platform: 'telegram', name: '7', stableId: '7' },
    { name: 'bob', stableId: '2' },
  ];
  const { paymentId } = await books.payDirect({ payer: PAYER, payees });
  const [mine] = await linesOf(books.store, paymentId);
  const identityIds = [mine?.line.identityId ?? ''];
  const sums = (who: { identityIds?: string[]; payers?: string[] }) =>
    sumsOfPerson(books.store, { identityIds: [], payers: [], ...who });
  expect(await sums({ identityIds })).toEqual({ waiting: 1_000_000n, received: 0n, sent: 0n });
  expect(await sums({ payers: [PAYER] })).toEqual({ waiting: 0n, received: 0n, sent: 2_000_000n });
  expect(await sums({})).toEqual({ waiting: 0n, received: 0n, sent: 0n });
  await refundLine(books.store, mine?.line.txnId ?? 0, books.clock.nowMs);
  expect(await sums({ identityIds })).toEqual({ waiting: 0n, received: 0n, sent: 0n });
  expect((await sums({ payers: [PAYER] })).sent).toBe(1_000_000n);
});
