import { and, asc, eq, gt, isNull, lte } from 'drizzle-orm';
import { TREASURY_CARD_MS } from '../../core/treasury/treasury.ts';
import { move } from '../store/move.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

export type TreasuryWithdrawal = Tables['treasuryWithdrawals']['$inferSelect'];
export type TreasuryConfirmation = Tables['treasuryConfirmations']['$inferSelect'];
export type NewTreasuryWithdrawal = Omit<
  TreasuryWithdrawal,
  'status' | 'messageId' | 'isOwnerAlone' | 'endedBy' | 'endedAtMs'
>;

export type Proposed =
  | { kind: 'proposed'; row: TreasuryWithdrawal }
  /** Another proposal is open: two open at once could be mixed up. */
  | { kind: 'busy'; row: TreasuryWithdrawal };

/** Only proposes; no money leaves. The same event again is the same row in any state. The treasury must be open. */
export async function proposeTreasuryWithdrawal(store: Store, wanted: NewTreasuryWithdrawal): Promise<Proposed> {
  const { treasuries, treasuryWithdrawals: table } = store.tables;
  return store.tx(async (db): Promise<Proposed> => {
    const { walletId } = wanted;
    // Locks the row, so that proposals at the same time wait.
    const [held] = await db.update(treasuries).set({ walletId }).where(eq(treasuries.walletId, walletId)).returning();
    if (!held) throw new Error(`expected an open treasury to withdraw from, found none for ${walletId}`);
    const [known] = await db.select().from(table).where(eq(table.requestKey, wanted.requestKey));
    if (known) return { kind: 'proposed', row: known };
    const [open] = await db
      .select()
      .from(table)
      .where(isOpenOf(store.tables, walletId, wanted.createdAtMs))
      .limit(1);
    if (open) return { kind: 'busy', row: open };
    const [row] = await db
      .insert(table)
      .values({ ...wanted, status: 'proposed' })
      .returning();
    if (!row) throw new Error(`the withdrawal ${wanted.id} from a treasury was not written`);
    return { kind: 'proposed', row };
  });
}

/** The message that shows the card; presses of its buttons are answered in it. It may be confirmed before this call. */
export async function noteTreasuryCard(store: Store, id: string, messageId: string): Promise<void> {
  const { treasuryWithdrawals: table } = store.tables;
  await store.tx(async (db) => {
    const [row] = await db.update(table).set({ messageId }).where(eq(table.id, id)).returning();
    if (row?.status === 'confirmed') await followWithin(db, store.tables, row);
  });
}

/** Makes the card show how the withdrawal ends, once its message is known. */
export async function followWithin(
  db: Db,
  { withdrawalMessages }: Tables,
  { id: withdrawalId, transport, chatId, messageId, language }: TreasuryWithdrawal,
): Promise<void> {
  if (messageId === null) return;
  const message = { withdrawalId, transport, chatId, messageId, language };
  await db.insert(withdrawalMessages).values(message).onConflictDoNothing();
}

export async function findTreasuryWithdrawal(store: Store, id: string): Promise<TreasuryWithdrawal | null> {
  const { treasuryWithdrawals: table } = store.tables;
  const [row] = await store.read.select().from(table).where(eq(table.id, id));
  return row ?? null;
}

/** The one that can be confirmed now. */
export async function openTreasuryWithdrawal(
  store: Store,
  walletId: string,
  nowMs: number,
): Promise<TreasuryWithdrawal | null> {
  const { treasuryWithdrawals: table } = store.tables;
  const [row] = await store.read
    .select()
    .from(table)
    .where(isOpenOf(store.tables, walletId, nowMs))
    .limit(1);
  return row ?? null;
}

/** Oldest first. */
export async function confirmationsOf(db: Db, tables: Tables, withdrawalId: string): Promise<TreasuryConfirmation[]> {
  const { treasuryConfirmations: table } = tables;
  return db
    .select()
    .from(table)
    .where(eq(table.withdrawalId, withdrawalId))
    .orderBy(asc(table.confirmedAtMs), asc(table.userId));
}

/** One rejection ends it. Null when it is over already. */
export async function rejectTreasuryWithdrawal(
  store: Store,
  id: string,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<TreasuryWithdrawal | null> {
  const { treasuryWithdrawals: table } = store.tables;
  const [row] = await store.tx((db) =>
    move(db, table, {
      where: isOpen(store.tables, id, nowMs),
      set: { status: 'rejected', endedBy: userId, endedAtMs: nowMs },
    }),
  );
  return row ?? null;
}

/** Ends overdue proposals and answers each once, so that its card can show it. */
export async function expireTreasuryWithdrawals(
  store: Store,
  nowMs: number,
  limit: number,
): Promise<TreasuryWithdrawal[]> {
  const { treasuryWithdrawals: table } = store.tables;
  const isStale = and(eq(table.status, 'proposed'), lte(table.createdAtMs, nowMs - TREASURY_CARD_MS));
  const stale = await store.read.select({ id: table.id }).from(table).where(isStale).limit(limit);
  const expired = await Promise.all(stale.map(({ id }) => expire(store, id, nowMs)));
  return expired.flat();
}

async function expire(store: Store, id: string, nowMs: number): Promise<TreasuryWithdrawal[]> {
  return store.tx((db) => expireWithin(db, store.tables, id, nowMs));
}

export async function expireWithin(db: Db, tables: Tables, id: string, nowMs: number): Promise<TreasuryWithdrawal[]> {
  const { treasuryWithdrawals: table } = tables;
  return move(db, table, { where: eq(table.id, id), set: { status: 'expired', endedAtMs: nowMs } });
}

export function isOpen({ treasuryWithdrawals: table }: Tables, id: string, nowMs: number) {
  return and(eq(table.id, id), eq(table.status, 'proposed'), gt(table.createdAtMs, nowMs - TREASURY_CARD_MS));
}

function isOpenOf({ treasuryWithdrawals: table }: Tables, walletId: string, nowMs: number) {
  const isYoung = gt(table.createdAtMs, nowMs - TREASURY_CARD_MS);
  return and(eq(table.walletId, walletId), eq(table.status, 'proposed'), isNull(table.endedAtMs), isYoung);
}
