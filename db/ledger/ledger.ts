import { eq, inArray, sql, type SQL } from 'drizzle-orm';
import { networkOfAccount, type Entry, type Posting } from '../../core/ledger.ts';
import { ledgerLock, wantLock } from '../store/locks.ts';
import type { Db } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

/**
 * Writes one ledger entry inside the caller's transaction. Throws when the postings do not sum to zero, when the cause
 * was posted before (the caller's guarded state change should have made that impossible), and, through the table's
 * check, when an account would be overdrawn: each is a broken invariant and must end the whole transaction.
 */
export async function postEntry(db: Db, tables: Tables, entry: Entry, nowMs: number): Promise<void> {
  assertBalanced(entry);
  const [row] = await db
    .insert(tables.entries)
    .values({ cause: entry.cause, createdAtMs: nowMs })
    .onConflictDoNothing()
    .returning({ id: tables.entries.id });
  if (!row) throw new Error(`ledger entry ${entry.cause} was posted before`);
  const postings = [...entry.postings].sort((a, b) => (a.account < b.account ? -1 : 1));
  for (const { account } of postings) wantLock(db, ledgerLock(networkOfAccount(account)));
  await db.insert(tables.postings).values(postings.map((posting, position) => toRow(row.id, position, posting)));
  await addToAccounts(
    db,
    tables,
    postings.filter(({ unit }) => unit !== 'wei'),
  );
  for (const posting of postings) if (posting.unit === 'wei') await addWei(db, tables, posting);
}

function toRow(entryId: number, position: number, posting: Posting) {
  const inWei = posting.unit === 'wei';
  return {
    entryId,
    position,
    account: posting.account,
    unit: posting.unit,
    amount: inWei ? 0n : posting.amount,
    amountWei: inWei ? posting.amount.toString() : '0',
  };
}

/** In one statement where all accounts exist, as nearly always: while it runs, others wait for these rows. */
async function addToAccounts(db: Db, tables: Tables, postings: readonly Posting[]): Promise<void> {
  if (postings.length === 0) return;
  const sums = new Map<string, Posting>();
  for (const posting of postings) {
    const amount = (sums.get(posting.account)?.amount ?? 0n) + posting.amount;
    sums.set(posting.account, { ...posting, amount });
  }
  const added = new Set(await updateAccounts(db, tables, [...sums.values()]));
  const missing = [...sums.values()].filter(({ account }) => !added.has(account));
  if (missing.length === 0) return;
  // Made empty first: a check would refuse to insert what an account may well be changed by.
  const rows = missing.map(({ account, unit, side }) => ({ name: account, unit, side, balance: 0n, balanceWei: '0' }));
  await db.insert(tables.accounts).values(rows).onConflictDoNothing();
  await updateAccounts(db, tables, missing);
}

async function updateAccounts(db: Db, { accounts }: Tables, postings: readonly Posting[]): Promise<string[]> {
  const cases = postings.map(({ account, amount }) => sql`when ${account} then cast(${amount} as bigint)`);
  const rows = await db
    .update(accounts)
    .set({ balance: sql`${accounts.balance} + case ${accounts.name} ${sql.join(cases, sql` `)} end` })
    .where(
      inArray(
        accounts.name,
        postings.map(({ account }) => account),
      ),
    )
    .returning({ name: accounts.name });
  return rows.map(({ name }) => name);
}

/** Sums of wei outgrow 64 bits, so the text is read, added and written back under the value that was read. */
async function addWei(db: Db, tables: Tables, posting: Posting): Promise<void> {
  const { accounts } = tables;
  await db
    .insert(accounts)
    .values({ name: posting.account, unit: 'wei', side: 'signed', balance: 0n, balanceWei: '0' })
    .onConflictDoNothing();
  const [row] = await db
    .select({ balanceWei: accounts.balanceWei })
    .from(accounts)
    .where(eq(accounts.name, posting.account));
  if (!row) throw new Error(`account ${posting.account} vanished within its own transaction`);
  await db
    .update(accounts)
    .set({ balanceWei: (BigInt(row.balanceWei) + posting.amount).toString() })
    .where(eq(accounts.name, posting.account));
}

/** Without a parameter, so that both databases know it as the condition of an index. */
export const isHolding = ({ accounts }: Tables): SQL => sql`${accounts.balance} <> 0`;

function assertBalanced(entry: Entry): void {
  const sums = new Map<string, bigint>();
  for (const posting of entry.postings) sums.set(posting.unit, (sums.get(posting.unit) ?? 0n) + posting.amount);
  for (const [unit, sum] of sums) {
    if (sum !== 0n) throw new Error(`ledger entry ${entry.cause} sums to ${sum} ${unit}, expected 0`);
  }
}
