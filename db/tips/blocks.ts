import { and, desc, eq, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm';
import { placeholder, prepare } from '../store/prepare.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

/**
 * Who has given a person something. `isTransfer`: by a plain transfer, so the address may be an exchange's, which pays for
 * many. `firstTxnId`: by which the payer's own order goes.
 */
export type Giver = { payer: string; isTransfer: boolean; txnId: number; firstTxnId: number };

/** How far back it is looked for people who gave something. */
const LOOKED_AT_MAX = 200;
/** What was on its way when its payer was blocked may still come to wait. */
const LATE_MS = 15 * 60_000;

/** Who has given this person something lately, the last first: each address that signs once, and each plain transfer. */
export async function giversOf(store: Store, identityIds: readonly string[]): Promise<Giver[]> {
  const { lines, payments } = store.tables;
  const isGiven = and(inArray(lines.identityId, [...identityIds]), inArray(payments.status, ['settled', 'final']));
  const rows = await gifts(store).where(isGiven).orderBy(desc(payments.createdAtMs)).limit(LOOKED_AT_MAX);
  const seen = new Set<string>();
  return rows.map(toGiver).filter(({ payer, isTransfer }) => isTransfer || (!seen.has(payer) && seen.add(payer)));
}

/** Who has given this person this tip; null for a tip to anyone else. */
export async function giverOf(
  store: Store,
  { txnId, identityIds }: { txnId: number; identityIds: readonly string[] },
): Promise<Giver | null> {
  const { lines } = store.tables;
  const [row] = await gifts(store).where(and(eq(lines.txnId, txnId), inArray(lines.identityId, [...identityIds])));
  return row ? toGiver(row) : null;
}

function gifts(store: Store) {
  const { lines, payments } = store.tables;
  const first = firstLines(store);
  const { payer, landedAddress } = payments;
  return store.read
    .select({ payer, landedAddress, txnId: lines.txnId, firstTxnId: first.firstTxnId })
    .from(lines)
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .innerJoin(first, eq(first.paidBy, lines.paymentId))
    .$dynamic();
}

/** An order goes by its first line. */
export function firstLines(store: Store) {
  const { lines } = store.tables;
  return store.read
    .select({
      paidBy: sql<string>`${lines.paymentId}`.as('paid_by'),
      firstTxnId: sql<number>`${lines.txnId}`.mapWith(Number).as('first_txn_id'),
    })
    .from(lines)
    .where(eq(lines.position, 0))
    .as('first');
}

function toGiver({ landedAddress, ...gift }: Omit<Giver, 'isTransfer'> & { landedAddress: string | null }): Giver {
  return { ...gift, isTransfer: landedAddress !== null };
}

type Blocked = { identityIds: readonly string[]; payers: readonly string[] };

/** From now on nothing of theirs is taken, under any of these names; what waits goes back. Repeated it changes nothing. */
export async function blockPayers(store: Store, { identityIds, payers }: Blocked, nowMs: number): Promise<void> {
  const { blockedPayers } = store.tables;
  const rows = identityIds.flatMap((identityId) => payers.map((payer) => ({ identityId, payer, createdAtMs: nowMs })));
  if (rows.length === 0) return;
  await store.tx((db) => db.insert(blockedPayers).values(rows).onConflictDoNothing());
}

export async function allowPayers(store: Store, { identityIds, payers }: Blocked): Promise<void> {
  const { blockedPayers } = store.tables;
  const isIt = and(inArray(blockedPayers.identityId, [...identityIds]), inArray(blockedPayers.payer, [...payers]));
  await store.tx((db) => db.delete(blockedPayers).where(isIt));
}

export async function blockedBy(store: Store, identityIds: readonly string[]): Promise<Set<string>> {
  const { blockedPayers } = store.tables;
  const rows = await store.read
    .select({ payer: blockedPayers.payer })
    .from(blockedPayers)
    .where(inArray(blockedPayers.identityId, [...identityIds]));
  return new Set(rows.map(({ payer }) => payer));
}

/** Whether this person takes nothing from this payer; false for an unknown person. */
export async function isBlocked(
  db: Db,
  _tables: Tables,
  { platform, stableId, payer }: { platform: string; stableId: string; payer: string },
): Promise<boolean> {
  const [row] = await selectBlocked(db, { platform, stableId, payer });
  return row !== undefined;
}

const selectBlocked = prepare((db, { blockedPayers, identities }) =>
  db
    .select({ payer: blockedPayers.payer })
    .from(blockedPayers)
    .innerJoin(identities, eq(identities.id, blockedPayers.identityId))
    .where(
      and(
        eq(blockedPayers.payer, placeholder('payer')),
        eq(identities.platform, placeholder('platform')),
        eq(identities.stableId, placeholder('stableId')),
      ),
    ),
);

/**
 * What waits for people who have blocked its payer, or the person whose order a plain transfer has paid. SQLite keeps the order
 * of a cross join; of another it would begin with all that waits for anybody.
 */
export async function blockedLines(store: Store, limit: number): Promise<number[]> {
  const { blockedPayers, lines, orders, payments } = store.tables;
  const isTheirs = and(eq(lines.identityId, blockedPayers.identityId), eq(lines.status, 'escrowed'));
  const isSettled = inArray(payments.status, ['settled', 'final']);
  const isDue = and(isNull(blockedPayers.returnedAtMs), isTheirs, isSettled);
  const signed = await store.read
    .select({ txnId: lines.txnId })
    .from(blockedPayers)
    .crossJoin(lines)
    .innerJoin(payments, and(eq(payments.id, lines.paymentId), eq(payments.payer, blockedPayers.payer)))
    .where(isDue)
    .limit(limit);
  const first = firstLines(store);
  const transferred = await store.read
    .select({ txnId: lines.txnId })
    .from(blockedPayers)
    .crossJoin(lines)
    .innerJoin(payments, and(eq(payments.id, lines.paymentId), isNotNull(payments.landedAddress)))
    .innerJoin(first, eq(first.paidBy, payments.id))
    .innerJoin(orders, and(eq(orders.txnId, first.firstTxnId), eq(orders.userId, blockedPayers.payer)))
    .where(isDue)
    .limit(limit);
  return [...new Set([...signed, ...transferred].map(({ txnId }) => txnId))];
}

/** Called when nothing waits: those blocked for a while have nothing on its way any more. */
export async function noteReturned(store: Store, nowMs: number): Promise<void> {
  const { blockedPayers } = store.tables;
  const isOver = and(isNull(blockedPayers.returnedAtMs), lte(blockedPayers.createdAtMs, nowMs - LATE_MS));
  const [due] = await store.read.select({ payer: blockedPayers.payer }).from(blockedPayers).where(isOver).limit(1);
  if (due) await store.tx((db) => db.update(blockedPayers).set({ returnedAtMs: nowMs }).where(isOver));
}
