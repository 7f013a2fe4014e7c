/** A block that brought unexplained money is gone again: the books follow as far as that money is still there. */
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { factOf, type ObservedTransfer } from '../../../core/observed.ts';
import { returnByOperator } from '../../../db/operator/suspense.ts';
import { applyTransfers } from '../../../db/scan/apply.ts';
import { advanceFinality } from '../../../db/scan/finality.ts';
import { undoTransfer } from '../../../db/scan/rollback.ts';
import { signingStops } from '../../../db/store/stops.ts';
import { openBooks, START_MS, TREASURY, type Books } from '../../support/books.ts';

const PLACE = { transaction: '0xplain', logIndex: 0, position: 0, block: 1, blockHash: '0x1' };
const PLAIN: ObservedTransfer = { ...PLACE, from: `0x${'77'.repeat(20)}`, to: TREASURY, value: 3_000_000n };
const FACT = factOf('base', PLAIN);
const AN_HOUR_LATER_MS = START_MS + 3_600_000;

let books: Books;
beforeEach(async () => {
  books = await openBooks();
  const { store, ids } = books;
  const settle = { transferIdOf: ids.payoutId, answerFor: () => ({}), nowMs: START_MS };
  await applyTransfers(store, { network: 'base' as const, transfers: [PLAIN], ownAddresses: [TREASURY] }, settle);
  const step = { network: 'base' as const, safeBlock: 1, finalizedBlock: 0 };
  await store.tx((db) => advanceFinality(db, store, step, AN_HOUR_LATER_MS));
});
afterEach(async () => {
  await books.assertSound();
  await books.close();
});

async function balanceOf(name: string): Promise<bigint | undefined> {
  const { accounts } = books.store.tables;
  const [row] = await books.store.read.select().from(accounts).where(eq(accounts.name, name));
  return row?.balance;
}

async function loseItsBlock(): Promise<void> {
  const { store } = books;
  const { observedTransfers } = store.tables;
  await store.tx(async (db) => {
    const [transfer] = await db.select().from(observedTransfers).where(eq(observedTransfers.fact, FACT));
    if (transfer === undefined) throw new Error('there is no transfer');
    await undoTransfer(db, store, transfer, AN_HOUR_LATER_MS);
  });
}

test('from suspense it is taken out again', async () => {
  expect(await balanceOf('suspense:base')).toBe(-3_000_000n);
  await loseItsBlock();
  expect(await balanceOf('suspense:base')).toBe(0n);
  expect(await balanceOf(`chain:base:${TREASURY}`)).toBe(0n);
  expect(await signingStops(books.store)).toEqual([]);
});

test('what was promised back from suspense is not taken out twice: signing stops, and the scan goes on', async () => {
  const command = { name: 'return', arguments: [FACT], who: 'a test' };
  expect(await returnByOperator(books.store, FACT, command, AN_HOUR_LATER_MS)).toBe('returned');
  expect(await balanceOf('suspense:base')).toBe(0n);
  await loseItsBlock();
  expect(await balanceOf('suspense:base')).toBe(0n);
  expect(await signingStops(books.store)).toMatchObject([{ reason: 'books_behind_chain', detail: FACT }]);
});

test('for half an hour it may still be explained, and is not there yet', async () => {
  const { store, ids } = books;
  const later = { ...PLAIN, transaction: '0xlater' };
  const settle = { transferIdOf: ids.payoutId, answerFor: () => ({}), nowMs: AN_HOUR_LATER_MS };
  await applyTransfers(store, { network: 'base' as const, transfers: [later], ownAddresses: [TREASURY] }, settle);
  const look = async (minutes: number) => {
    const step = { network: 'base' as const, safeBlock: 1, finalizedBlock: 0 };
    await store.tx((db) => advanceFinality(db, store, step, AN_HOUR_LATER_MS + minutes * 60_000));
    return balanceOf('suspense:base');
  };
  expect([await look(29), await look(30)]).toEqual([-3_000_000n, -6_000_000n]);
});
