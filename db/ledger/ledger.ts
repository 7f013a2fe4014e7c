import { eq, inArray, sql, type SQL } from 'drizzle-orm';
import { networkOfAccount, type Entry, type Posting } from '../../core/ledger.ts';
import { ledgerLock, wantLock } from '../store/locks.ts';
import { given, placeholder, prepare } from '../store/prepare.ts';
import type { Db } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

/** In one statement, which compares each row of `accounts` with each of these. */
const ROWS_MAX = 100;

/**
 * Writes one ledger entry inside the caller's transaction. Throws when the postings do not sum to zero, when the cause
 * was posted before (the caller's guarded state change should have made that impossible), and, through the table's
 * check, when an account would be overdrawn: each is a broken invariant and must end the whole transaction.
 */
export async function postEntry(db: Db, tables: Tables, entry: Entry, nowMs: number): Promise<void> {
  await postEntries(db, tables, [entry], nowMs);
}

/** The same for several that may come in any order: only what they amount to together must not overdraw an account. */
export async function postEntries(db: Db, tables: Tables, entries: readonly Entry[], nowMs: number): Promise<void> {
  for (const entry of entries) assertBalanced(entry);
  const ids = await insertEntries(db, tables, entries, nowMs);
  const postings = entries.flatMap(inOrder);
  for (const { account } of postings) wantLock(db, ledgerLock(networkOfAccount(account)));
  const rows = entries.flatMap((entry) =>
    inOrder(entry).map((posting, position) => toRow(ids.get(entry.cause) ?? 0, position, posting)),
  );
  const [one, two, ...more] = rows;
  if (one !== undefined && two !== undefined && more.length === 0) await insertPair(db, pairOf(one, two));
  else for (const some of slices(rows)) await db.insert(tables.postings).values([...some]);
  await addToAccounts(
    db,
    tables,
    postings.filter(({ unit }) => unit !== 'wei'),
  );
  for (const posting of postings) if (posting.unit === 'wei') await addWei(db, tables, posting);
}

const inOrder = ({ postings }: Entry): Posting[] => [...postings].sort((a, b) => (a.account < b.account ? -1 : 1));

/** Their ids, by their causes. */
async function insertEntries(
  db: Db,
  { entries: table }: Tables,
  entries: readonly Entry[],
  createdAtMs: number,
): Promise<ReadonlyMap<string, number>> {
  const values = entries.map(({ cause }) => ({ cause, createdAtMs }));
  const [one, ...more] = values;
  const rows =
    one !== undefined && more.length === 0
      ? await insertEntry(db, one)
      : await db.insert(table).values(values).onConflictDoNothing().returning({ id: table.id, cause: table.cause });
  const ids = new Map(rows.map(({ id, cause }) => [cause, id]));
  for (const { cause } of entries) if (!ids.has(cause)) throw new Error(`ledger entry ${cause} was posted before`);
  if (ids.size < entries.length) throw new Error('two of these ledger entries have the same cause');
  return ids;
}

const insertEntry = prepare((db, { entries }) =>
  db
    .insert(entries)
    .values({ cause: placeholder('cause'), createdAtMs: placeholder('createdAtMs') })
    .onConflictDoNothing()
    .returning({ id: entries.id, cause: entries.cause }),
);

/** Nearly every entry has two postings. */
const insertPair = prepare((db, { postings }) => {
  const valuesAt = (position: 0 | 1) => ({
    entryId: placeholder('entryId'),
    position,
    account: placeholder(`account${position}`),
    unit: placeholder(`unit${position}`),
    amount: placeholder(`amount${position}`),
    amountWei: placeholder(`amountWei${position}`),
  });
  return db.insert(postings).values([valuesAt(0), valuesAt(1)]);
});

type PostingRow = ReturnType<typeof toRow>;

function pairOf(one: PostingRow, two: PostingRow): Record<string, unknown> {
  const named = (row: PostingRow, at: number) =>
    Object.entries(row).map(([name, value]) => [`${name}${at}`, value] as const);
  return { ...Object.fromEntries([...named(one, 0), ...named(two, 1)]), entryId: one.entryId };
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

/** An account's whole sum in one statement: only what the entries amount to together must not overdraw it. */
async function addToAccounts(db: Db, tables: Tables, postings: readonly Posting[]): Promise<void> {
  const sums = new Map<string, Posting>();
  for (const posting of postings) {
    const amount = (sums.get(posting.account)?.amount ?? 0n) + posting.amount;
    sums.set(posting.account, { ...posting, amount });
  }
  for (const some of slices([...sums.values()])) await addSums(db, tables, some);
}

/** In one statement where all accounts exist, as nearly always: while it runs, others wait for these rows. */
async function addSums(db: Db, tables: Tables, sums: readonly Posting[]): Promise<void> {
  const added = new Set(await updateAccounts(db, tables, sums));
  const missing = sums.filter(({ account }) => !added.has(account));
  if (missing.length === 0) return;
  // Made empty first: a check would refuse to insert what an account may well be changed by.
  const empty = missing.map(({ account, unit, side }) => ({ name: account, unit, side, balance: 0n, balanceWei: '0' }));
  await db.insert(tables.accounts).values(empty).onConflictDoNothing();
  await updateAccounts(db, tables, missing);
}

/** Many payments to many people are more than a statement can name at once. */
function slices<Item>(items: readonly Item[]): (readonly Item[])[] {
  const count = Math.ceil(items.length / ROWS_MAX);
  return Array.from({ length: count }, (_, slice) => items.slice(slice * ROWS_MAX, (slice + 1) * ROWS_MAX));
}

const insertAccount = prepare((db, { accounts }) =>
  db
    .insert(accounts)
    .values({ ...given('name', 'unit', 'side'), balance: 0n, balanceWei: '0' })
    .onConflictDoNothing(),
);

const addToOne = prepare((db, { accounts }) =>
  db
    .update(accounts)
    .set({ balance: sql`${accounts.balance} + cast(${placeholder('amount')} as bigint)` })
    .where(eq(accounts.name, placeholder('account')))
    .returning({ name: accounts.name }),
);

const addToPair = prepare((db, { accounts }) => {
  const [one, two] = [placeholder('account0'), placeholder('account1')];
  const cases = sql`when ${one} then cast(${placeholder('amount0')} as bigint) when ${two} then cast(${placeholder('amount1')} as bigint)`;
  return db
    .update(accounts)
    .set({ balance: sql`${accounts.balance} + case ${accounts.name} ${cases} end` })
    .where(inArray(accounts.name, [one, two]))
    .returning({ name: accounts.name });
});

async function updateAccounts(db: Db, { accounts }: Tables, postings: readonly Posting[]): Promise<string[]> {
  const [one, two, ...more] = postings;
  if (one !== undefined && two === undefined)
    return (await addToOne(db, { account: one.account, amount: one.amount })).map(({ name }) => name);
  if (one !== undefined && two !== undefined && more.length === 0) {
    const values = { account0: one.account, amount0: one.amount, account1: two.account, amount1: two.amount };
    return (await addToPair(db, values)).map(({ name }) => name);
  }
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
  await insertAccount(db, { name: posting.account, unit: 'wei', side: 'signed' });
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
