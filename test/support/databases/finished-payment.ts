/** One finished payment with every row that belongs to it, to be copied. */
import { eq, inArray } from 'drizzle-orm';
import type { Store } from '../../../db/store/store.ts';
import { findPayment, linesOf } from '../../../db/payments/records/find.ts';

export type Row = Record<string, unknown>;

export type Finished = {
  /** By the name that `store.tables` has for the table, in the order in which they are written. */
  rows: readonly (readonly [keyof Store['tables'], readonly Row[]])[];
  /** What tells it from another: ids, addresses, hashes. */
  keys: readonly string[];
};

/** Shorter ones could be part of something else. */
const KEY_MIN = 8;
/** The columns whose text is a key. */
const KEYS: Partial<Record<keyof Store['tables'], readonly string[]>> = {
  payments: ['id', 'payer', 'nonce', 'requestHash', 'landedTransaction'],
  lines: ['slug', 'publicSlug'],
  identities: ['id', 'stableId'],
  transfers: ['id', 'nonce'],
  carriers: ['id'],
  carrierTransactions: ['hash'],
  observedTransfers: ['transaction', 'nonce'],
};

export async function readFinished(store: Store, paymentId: string): Promise<Finished> {
  const found = await linesOf(store, paymentId);
  const unpaid = found.filter(({ payout }) => payout?.status !== 'final');
  if (unpaid.length > 0) throw new Error(`${paymentId} has lines that are not paid`);
  return readWhole(store, paymentId);
}

/** The same of one whose lines may wait. */
export async function readWhole(store: Store, paymentId: string): Promise<Finished> {
  const { tables, read } = store;
  const payment = await findPayment(store, paymentId);
  if (payment?.status !== 'final') throw new Error(`${paymentId} is ${payment?.status}, expected final`);
  const found = await linesOf(store, paymentId);
  const transfers = found.flatMap(({ payout }) => payout ?? []);
  const items = [paymentId, ...transfers.map(({ id }) => id)];
  const carrierItems = await read.select().from(tables.carrierItems).where(inArray(tables.carrierItems.itemId, items));
  const carrierIds = carrierItems.map(({ carrierId }) => carrierId);
  const people = found.map(({ line }) => line.identityId);
  const consumers = [`payment:${paymentId}`, ...transfers.map(({ id }) => `transfer:${id}`)];
  const observed = await read
    .select()
    .from(tables.observedTransfers)
    .where(inArray(tables.observedTransfers.consumedBy, consumers));
  const rows: [keyof Store['tables'], Row[]][] = [
    ['payments', [payment]],
    ['lines', found.map(({ line }) => line)],
    ['transfers', transfers],
    ['observedTransfers', observed],
    ['carriers', await read.select().from(tables.carriers).where(inArray(tables.carriers.id, carrierIds))],
    ['carrierTransactions', await transactionsOf(store, carrierIds)],
    ['carrierItems', carrierItems],
    ['proofs', await read.select().from(tables.proofs).where(eq(tables.proofs.paymentId, paymentId))],
    ['identities', await read.select().from(tables.identities).where(inArray(tables.identities.id, people))],
    ['wallets', await read.select().from(tables.wallets).where(inArray(tables.wallets.identityId, people))],
  ];
  const keys = rows.flatMap(([table, some]) => some.flatMap((row) => (KEYS[table] ?? []).map((name) => row[name])));
  const long = [...new Set(keys.filter((key) => typeof key === 'string'))].filter((key) => key.length >= KEY_MIN);
  return { rows: [...rows, ...(await rowsNaming(store, long))], keys: long };
}

async function transactionsOf({ read, tables }: Store, carrierIds: readonly string[]): Promise<Row[]> {
  const { carrierTransactions } = tables;
  return read
    .select()
    .from(carrierTransactions)
    .where(inArray(carrierTransactions.carrierId, [...carrierIds]));
}

/** Rows that name it within a text: causes of entries, events, accounts. Read as a whole, from a database that is small. */
async function rowsNaming({ read, tables }: Store, keys: readonly string[]): Promise<[keyof Store['tables'], Row[]][]> {
  const names = (text: string) => keys.some((key) => text.includes(key));
  const entries = (await read.select().from(tables.entries)).filter(({ cause }) => names(cause));
  const ids = entries.map(({ id }) => id);
  const outbox = (await read.select().from(tables.outbox)).filter(({ key }) => names(key));
  const accounts = (await read.select().from(tables.accounts)).filter(({ name }) => names(name));
  return [
    ['entries', entries],
    ['postings', await read.select().from(tables.postings).where(inArray(tables.postings.entryId, ids))],
    ['accounts', accounts],
    ['outbox', outbox],
  ];
}
