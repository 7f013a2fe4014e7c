import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { move, moveSigned } from '../../../db/store/move.ts';
import { planSweep } from '../../../db/tasks/sweeps.ts';
import type { TransferState } from '../../../core/states.ts';
import { openingBalance } from '../../../core/ledger.ts';
import { postEntry } from '../../../db/ledger/ledger.ts';
import { openBooks, START_MS, TREASURY, type Books } from '../../support/books.ts';

const TASK = '0x00000000000000000000000000000000000000ta';
const LANDED = { landedTransaction: '0x01', landedBlock: 7 };

let books: Books;
beforeEach(async () => {
  books = await openBooks();
  const opening = { network: 'base', address: TASK, amount: 1_000_000n } as const;
  await books.store.tx((db) => postEntry(db, books.store.tables, openingBalance(opening), START_MS));
  const place = { network: 'base', address: TASK, treasury: TREASURY } as const;
  await planSweep(books.store, place, { id: 'one', minMicroUsdc: 0n, nowMs: START_MS });
});
afterEach(() => books.close());

async function stateNow(): Promise<TransferState | undefined> {
  const [row] = await books.store.read.select().from(books.store.tables.transfers);
  return row?.status;
}

const moveIt = (change: { from?: 'queued'[]; to: 'assigned' | 'broadcast' }) => {
  const { transfers } = books.store.tables;
  const { from, to: status } = change;
  return books.store.tx((db) =>
    move(db, transfers, { where: eq(transfers.id, 'one'), set: { status }, ...(from === undefined ? {} : { from }) }),
  );
};

test('of two writers that move a row from the same state one moves it', async () => {
  const moved = await Promise.all([
    moveIt({ from: ['queued'], to: 'assigned' }),
    moveIt({ from: ['queued'], to: 'broadcast' }),
  ]);
  expect(moved.flat()).toHaveLength(1);
});

test('without a named state only those move that may become the new one', async () => {
  const { transfers } = books.store.tables;
  const land = () =>
    books.store.tx((db) =>
      move(db, transfers, { where: eq(transfers.id, 'one'), set: { status: 'confirmed', ...LANDED } }),
    );
  // What was never signed cannot have landed.
  expect(await land()).toEqual([]);
  expect(await stateNow()).toBe('queued');
  await moveIt({ to: 'assigned' });
  expect(await land()).toHaveLength(1);
});

test('a move that the tables of moves do not know throws', async () => {
  const { transfers } = books.store.tables;
  const from: string[] = ['final'];
  await expect(
    books.store.tx((db) =>
      // @ts-expect-error what is final moves nowhere
      move(db, transfers, { from, where: eq(transfers.id, 'one'), set: { status: 'queued' } }),
    ),
  ).rejects.toThrow('transfers');
});

test('what our keys have signed is not stored by `move`, which checks no lease', async () => {
  const { transfers, orders } = books.store.tables;
  const [ofTransfer, ofOrder] = [eq(transfers.id, 'one'), eq(orders.id, 'none')];
  await books.store.tx(async (db) => {
    // @ts-expect-error a signature needs `moveSigned`
    await move(db, transfers, { where: ofTransfer, set: { status: 'assigned', signature: '0x01' } });
    // @ts-expect-error a header too
    await move(db, orders, { where: ofOrder, set: { status: 'signed', header: 'e30=' } });
    // @ts-expect-error and a transaction that no lease was checked in cannot have it
    await moveSigned(db, orders, { where: ofOrder, set: { status: 'signed', header: 'e30=' } });
  });
  // The compiler is what refuses these.
  expect(await stateNow()).toBe('assigned');
});

test('money changes its state through `move` only', () => {
  const guarded = /\.update\((?:\w+\.)*(?:payments|lines|transfers|withdrawals|carriers)\)\s*\.set\(\{[^}]*\bstatus\b/;
  const root = join(import.meta.dirname, '../../../db');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((name) => guarded.test(readFileSync(join(root, name), 'utf8')))).toEqual([]);
});
