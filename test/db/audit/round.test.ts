/** What an audit finds, and when: what a trigger or what is open shows it in the next round, the rest within a pass. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { eq, like } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { auditRound, roundsOf } from '../../../db/audit/round.ts';
import type { Db } from '../../../db/store/store.ts';
import type { Tables } from '../../../db/schema/tables.ts';
import { openBooks, START_MS, type Books } from '../../support/books.ts';
import { onBothDatabases } from '../../support/postgres.ts';

const LATER_MS = START_MS + 30 * 86_400_000;

let books: Books;
let paymentId: string;
const round = async (pass = { next: 0 }) => (await auditRound(books.store, pass, LATER_MS)).map(({ rule }) => rule);

/** Two payments, long final, and audits that have seen them: the checkpoint is behind all that there is. */
async function settleDown(): Promise<void> {
  await books.link(await books.meet('alice', '1'));
  const first = await books.pay({ payees: [{ name: 'alice', stableId: '1' }] });
  await books.pay({ payees: [{ name: 'bob', stableId: '2' }] });
  await books.mine([], books.height() + 1);
  paymentId = first.paymentId;
  expect((await books.paymentOf(paymentId)).status).toBe('final');
  expect(await round()).toEqual([]);
  expect(await books.store.read.select().from(books.store.tables.auditFeed)).toEqual([]);
}

type Plant = (db: Db, tables: Tables) => Promise<unknown>;

/** Each in a row that is finished and older than the checkpoint. */
const PLANTS: Record<string, { plant: Plant; rule: string }> = {
  'a payment is for more than its lines': {
    plant: (db, { payments }) =>
      db.update(payments).set({ sumMicroUsdc: 2_000_000n }).where(eq(payments.id, paymentId)),
    rule: 'lines sum to the payment',
  },
  'a line is for more than it was': {
    plant: (db, { lines }) =>
      db.update(lines).set({ amountMicroUsdc: 2_000_000n }).where(eq(lines.paymentId, paymentId)),
    rule: 'lines sum to the payment',
  },
  'a line is gone': {
    plant: (db, { lines }) => db.delete(lines).where(eq(lines.paymentId, paymentId)),
    rule: 'lines sum to the payment',
  },
  'the transfer of a payment has not landed': {
    plant: (db, { observedTransfers: seen }) =>
      db
        .update(seen)
        .set({ landed: false })
        .where(eq(seen.consumedBy, `payment:${paymentId}`)),
    rule: 'settled means landed',
  },
  'the transfer of a payment is gone': {
    plant: (db, { observedTransfers: seen }) => db.delete(seen).where(eq(seen.consumedBy, `payment:${paymentId}`)),
    rule: 'settled means landed',
  },
  'a balance is another than its postings say': {
    plant: (db, { accounts }) => db.update(accounts).set({ balance: -7n }).where(like(accounts.name, 'escrow:%')),
    rule: 'cached balance = sum',
  },
  'a balance is gone': {
    plant: (db, { accounts }) => db.update(accounts).set({ balance: 0n }).where(like(accounts.name, 'escrow:%')),
    rule: 'cached balance = sum',
  },
  'an entry does not sum to zero': {
    plant: async (db, { entries, postings }) => {
      const [entry] = await db.insert(entries).values({ cause: 'planted', createdAtMs: LATER_MS }).returning();
      const posting = { position: 0, account: 'fees:base', unit: 'usdc' as const, amount: -1n, amountWei: '0' };
      await db.insert(postings).values({ entryId: entry?.id ?? 0, ...posting });
    },
    rule: 'postings sum to zero',
  },
  'nobody is asked for a line that waits for its platform': {
    plant: (db, { lines }) => db.update(lines).set({ status: 'resolving' }).where(eq(lines.paymentId, paymentId)),
    rule: 'lookups = resolving lines',
  },
};

onBothDatabases((fresh) => {
  beforeEach(async () => {
    books = await openBooks(await fresh());
    await settleDown();
  });
  afterEach(() => books.close());

  test.each(Object.entries(PLANTS))('the next round finds: %s', async (_, { plant, rule }) => {
    await books.store.tx((db) => plant(db, books.store.tables));
    expect(await round()).toContain(rule);
    // It is not forgotten before it is mended.
    expect(await round()).toContain(rule);
  });

  test('a round of sound books finds nothing, forgets what it was fed, and counts each entry once', async () => {
    await books.pay({ payees: [{ name: 'carol', stableId: '3' }] });
    await Promise.all([round(), round()]);
    const { auditedBalances, auditFeed, accounts } = books.store.tables;
    expect(await books.store.read.select().from(auditFeed)).toEqual([]);
    const cached = await books.store.read.select().from(accounts);
    for (const { account, amount } of await books.store.read.select().from(auditedBalances))
      expect(amount).toBe(cached.find(({ name }) => name === account)?.balance);
  });

  test('what no trigger has fed is found within a pass', async () => {
    const { payments, auditFeed } = books.store.tables;
    await books.store.tx(async (db) => {
      await db.update(payments).set({ sumMicroUsdc: 2_000_000n }).where(eq(payments.id, paymentId));
      await db.delete(auditFeed);
    });
    const pass = { next: 0 };
    const found: string[] = [];
    for (let rounds = roundsOf(books.store); rounds > 0; rounds -= 1) found.push(...(await round(pass)));
    expect(found).toEqual(['lines sum to the payment']);
  });
});

describe('past every trigger', () => {
  test('an old posting that was written anew is found within a pass', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'pennypost-audit-'));
    const path = join(dir, 'books.sqlite');
    books = await openBooks({ kind: 'sqlite', path });
    await settleDown();
    const handle = new Database(path);
    handle.exec('DROP TRIGGER postings_no_update; UPDATE postings SET amount = amount * 3');
    handle.close();
    const pass = { next: 0 };
    const found = new Set<string>();
    for (let rounds = roundsOf(books.store); rounds > 0; rounds -= 1)
      for (const rule of await round(pass)) found.add(rule);
    expect([...found]).toEqual(['cached balance = sum']);
    await books.close();
    rmSync(dir, { recursive: true });
  });
});
