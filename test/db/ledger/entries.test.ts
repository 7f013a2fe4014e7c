/** What a block brings may be thousands of postings: more than one statement can name. */
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { inboundProven } from '../../../core/ledger.ts';
import { postEntries } from '../../../db/ledger/ledger.ts';
import type { DatabaseAddress } from '../../../db/store/open.ts';
import { openBooks, START_MS, TREASURY } from '../../support/books.ts';
import { onPostgres } from '../../support/postgres.ts';

/** The most that one payment may have. */
const RECIPIENTS = 100;

async function assertPostedTogether(payments: number, database?: DatabaseAddress): Promise<void> {
  const books = await openBooks(database);
  const { store } = books;
  const entries = Array.from({ length: payments }, (_, payment) => {
    const credits = Array.from({ length: RECIPIENTS }, (_, line) => ({
      identityId: `p${payment}-${line}`,
      amount: 10_000n,
      left: false,
    }));
    const place = { network: 'base' as const, address: TREASURY, fact: `fact${payment}`, landing: 1 };
    return inboundProven({ ...place, fee: 3_000n, credits });
  });
  await store.tx((db) => postEntries(db, store.tables, entries, START_MS));
  const { accounts, postings } = store.tables;
  const [held] = await store.read
    .select({ count: sql<number>`count(*)`.mapWith(Number), sum: sql`sum(${accounts.balance})`.mapWith(Number) })
    .from(accounts);
  expect(held).toEqual({ count: payments * RECIPIENTS + 2, sum: 0 });
  expect(await store.read.$count(postings)).toBe(payments * (RECIPIENTS + 2));
  await books.close();
}

describe('on SQLite', () => {
  test('sixty payments with a hundred new recipients each are posted together', () => assertPostedTogether(60));
});

// They are divided alike, a hundred rows to a statement: here those statements follow each other.
onPostgres((fresh) => {
  test('four payments with a hundred new recipients each are posted together', async () => {
    await assertPostedTogether(4, await fresh());
  });
});
