import { and, asc, eq, gt, isNull, lt, lte, min, ne, notInArray, type SQL } from 'drizzle-orm';
import type { RewardModerators } from '../../core/rewards/reward-cards.ts';
import type { HeaderEnd, Past } from '../../core/payments/charge.ts';
import { signingTx } from '../processes/signing.ts';
import { move, moveSigned } from '../store/move.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import type { RewardCounts } from '../../core/rewards/reward-cards.ts';

export type RewardCard = Tables['rewardCards']['$inferSelect'];
export type RewardConfirmation = Tables['rewardConfirmations']['$inferSelect'];
export type NewRewardCard = Pick<
  RewardCard,
  | 'id'
  | 'requestKey'
  | 'distributionId'
  | 'walletId'
  | 'transport'
  | 'communityId'
  | 'chatId'
  | 'language'
  | 'proposedBy'
  | 'post'
  | 'excluded'
  | 'preview'
  | 'budgetMicroUsdc'
  | 'totalMicroUsdc'
  | 'costMaxMicroUsdc'
  | 'isOneEnough'
  | 'isLone'
  | 'createdAtMs'
  | 'expiresAtMs'
>;

export type Proposed =
  | { kind: 'proposed'; card: RewardCard; replaced: RewardCard | null }
  /** Another card is open: two open at once could be mixed up. */
  | { kind: 'busy' }
  /** The card it would replace is already decided. */
  | { kind: 'over' };

/**
 * Creates an open card; nothing is paid yet. The same event again is the same card, whatever its state. `replaces`: the
 * card it replaces in the same transaction, so that never both can be confirmed. The treasury must be open.
 */
export async function proposeReward(store: Store, wanted: NewRewardCard, replaces: string | null): Promise<Proposed> {
  const { rewardCards: table } = store.tables;
  return store.tx(async (db): Promise<Proposed> => {
    const { walletId, createdAtMs: nowMs } = wanted;
    await holdTreasury(db, store.tables, walletId);
    const [known] = await db.select().from(table).where(eq(table.requestKey, wanted.requestKey));
    if (known) return { kind: 'proposed', card: known, replaced: null };
    const replaced = replaces === null ? null : await replace(db, store.tables, replaces, wanted);
    if (replaces !== null && replaced === null) return { kind: 'over' };
    const isOfWallet = and(eq(table.walletId, walletId), isOpenAt(store.tables, nowMs));
    const [open] = await db.select({ id: table.id }).from(table).where(isOfWallet).limit(1);
    // Throwing rolls the replacement back.
    if (open && replaced !== null) throw new Error(`two cards of the treasury ${walletId} wait at once`);
    if (open) return { kind: 'busy' };
    const [card] = await db
      .insert(table)
      .values({ ...wanted, status: 'proposed', nextLookAtMs: wanted.expiresAtMs })
      .returning();
    if (!card) throw new Error(`the card ${wanted.id} of a reward was not written`);
    return { kind: 'proposed', card, replaced };
  });
}

/** Locks the treasury's row, so that no two transactions decide at once which of its cards is open. */
export async function holdTreasury(db: Db, { treasuries }: Tables, walletId: string): Promise<void> {
  const [held] = await db.update(treasuries).set({ walletId }).where(eq(treasuries.walletId, walletId)).returning();
  if (!held) throw new Error(`expected an open treasury to pay the reward from, found none for ${walletId}`);
}

async function replace(db: Db, tables: Tables, id: string, by: NewRewardCard): Promise<RewardCard | null> {
  const { rewardCards: table } = tables;
  const { proposedBy: endedBy, createdAtMs: nowMs, walletId } = by;
  const [row] = await move(db, table, {
    from: ['proposed'],
    where: and(eq(table.id, id), eq(table.walletId, walletId), isOpenAt(tables, nowMs)),
    set: { status: 'replaced', endedBy, endedAtMs: nowMs, nextLookAtMs: nowMs },
  });
  return row ?? null;
}

/** The message that shows the card; presses of its buttons are answered in it. */
export async function noteRewardMessage(store: Store, id: string, messageId: string): Promise<void> {
  const { rewardCards: table } = store.tables;
  await store.tx((db) => db.update(table).set({ messageId }).where(eq(table.id, id)));
}

export async function findReward(store: Store, id: string): Promise<RewardCard | null> {
  return findWhere(store, eq(store.tables.rewardCards.id, id));
}

/** What an earlier delivery of the same event has left. */
export async function findRewardByRequest(store: Store, requestKey: string): Promise<RewardCard | null> {
  return findWhere(store, eq(store.tables.rewardCards.requestKey, requestKey));
}

/** The one that can be confirmed now. */
export async function openReward(store: Store, walletId: string, nowMs: number): Promise<RewardCard | null> {
  return findWhere(store, and(eq(store.tables.rewardCards.walletId, walletId), isOpenAt(store.tables, nowMs)));
}

async function findWhere(store: Store, condition: SQL | undefined): Promise<RewardCard | null> {
  const [row] = await store.read.select().from(store.tables.rewardCards).where(condition).limit(1);
  return row ?? null;
}

/** Oldest first. */
export async function confirmationsOf(db: Db, tables: Tables, cardId: string): Promise<RewardConfirmation[]> {
  const { rewardConfirmations: table } = tables;
  return db.select().from(table).where(eq(table.cardId, cardId)).orderBy(asc(table.confirmedAtMs), asc(table.userId));
}

/** One rejection ends it. Null when it is over already. */
export async function rejectReward(
  store: Store,
  id: string,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<RewardCard | null> {
  const { rewardCards: table } = store.tables;
  const [row] = await store.tx((db) =>
    move(db, table, {
      where: and(eq(table.id, id), isOpenAt(store.tables, nowMs)),
      set: { status: 'rejected', endedBy: userId, endedAtMs: nowMs, nextLookAtMs: nowMs },
    }),
  );
  return row ?? null;
}

/** Its time ran out before a decision. */
export async function expireReward(store: Store, id: string, nowMs: number): Promise<boolean> {
  const { rewardCards: table } = store.tables;
  const where = and(eq(table.id, id), lte(table.expiresAtMs, nowMs));
  const set = { status: 'expired', endedAtMs: nowMs, nextLookAtMs: nowMs } as const;
  return (await store.tx((db) => move(db, table, { where, set }))).length > 0;
}

/** What its price asks for its cost. The signer reads it from here; what is signed already keeps its own. */
export async function noteRewardCost(store: Store, id: string, costMicroUsdc: bigint): Promise<void> {
  const { rewardCards: table } = store.tables;
  const isUnsigned = and(eq(table.id, id), eq(table.status, 'confirmed'), isNull(table.header));
  await store.tx((db) => db.update(table).set({ costMicroUsdc }).where(isUnsigned));
}

/** Stores the header before it is first sent. Of two signers only one succeeds; the other's header is dropped. */
export async function markRewardSigned(store: Store, id: string, header: string, end: HeaderEnd): Promise<boolean> {
  const { rewardCards: table } = store.tables;
  const where = and(eq(table.id, id), isNull(table.header));
  const set = { status: 'signed', header, ...end } as const;
  return (
    (
      await signingTx(store, { under: null, carrier: null }, (db) =>
        moveSigned(db, table, { from: ['confirmed'], where, set }),
      )
    ).length > 0
  );
}

/**
 * `isOurs` false: another payer paid the API directly, so the card's own header is dropped, because it paid nothing.
 */
export async function markRewardPaid(
  store: Store,
  seen: SeenReward,
  { counts, isOurs, nowMs }: { counts: RewardCounts | null; isOurs: boolean; nowMs: number },
): Promise<boolean> {
  const where = isStill(store.tables, seen);
  const set = {
    status: 'paid',
    counts,
    paidAtMs: nowMs,
    nextLookAtMs: nowMs,
    ...(!isOurs && { header: null }),
  } as const;
  return (await store.tx((db) => move(db, store.tables.rewardCards, { where, set }))).length > 0;
}

export async function markRewardFailed(
  store: Store,
  seen: SeenReward,
  { failure, nowMs }: { failure: string; nowMs: number },
): Promise<boolean> {
  const where = isStill(store.tables, seen);
  const set = { status: 'failed', failure, nextLookAtMs: nowMs } as const;
  return (await store.tx((db) => move(db, store.tables.rewardCards, { where, set }))).length > 0;
}

/** The card as the caller saw it: one that another process has signed meanwhile is not moved for an earlier reason. */
export type SeenReward = Pick<RewardCard, 'id' | 'status' | 'header'>;

function isStill({ rewardCards: { id, status, header } }: Tables, seen: SeenReward): SQL | undefined {
  const isSameHeader = seen.header === null ? isNull(header) : eq(header, seen.header);
  return and(eq(id, seen.id), eq(status, seen.status), isSameHeader);
}

/**
 * Drops a header to sign a new one, and answers whether it could. Only for a header past its end that the API refused
 * after that end: otherwise both could land.
 */
export async function reopenReward(store: Store, id: string, header: string, past: Past): Promise<boolean> {
  const { rewardCards: table } = store.tables;
  const { validBefore, lastValidHeight } = table;
  // A column that is null, because it is paid on the other network, is never below anything.
  const isOver = 'nowSeconds' in past ? lt(validBefore, past.nowSeconds) : lt(lastValidHeight, past.finalHeight);
  const where = and(eq(table.id, id), eq(table.header, header), isOver);
  const set = { status: 'confirmed', header: null, validBefore: null, lastValidHeight: null } as const;
  return (await store.tx((db) => move(db, table, { from: ['signed'], where, set }))).length > 0;
}

/** Stores the payout counts that the card shows, and when it is next due. */
export async function noteRewardLook(
  store: Store,
  id: string,
  { counts, nextLookAtMs }: { counts?: RewardCounts; nextLookAtMs: number | null },
): Promise<void> {
  const { rewardCards: table } = store.tables;
  // An open card is always due when it expires.
  const isDecided = and(eq(table.id, id), ne(table.status, 'proposed'));
  await store.tx((db) =>
    db
      .update(table)
      .set({ nextLookAtMs, ...(counts && { counts }) })
      .where(isDecided),
  );
}

/** Cards that are due by then, the longest due first, and when the next one is due. */
export async function dueRewards(store: Store, nowMs: number, limit: number, except: readonly string[] = []) {
  const { rewardCards: table } = store.tables;
  const { read } = store;
  const rows = await read
    .select({ id: table.id })
    .from(table)
    .where(and(lte(table.nextLookAtMs, nowMs), notInArray(table.id, [...except])))
    .orderBy(asc(table.nextLookAtMs), asc(table.id))
    .limit(limit);
  const isLater = gt(table.nextLookAtMs, nowMs);
  const [next] = await read
    .select({ atMs: min(table.nextLookAtMs) })
    .from(table)
    .where(isLater);
  return { items: rows.map(({ id }) => id), nextDueAtMs: next?.atMs ?? null };
}

/** The moderators at the last press that could have confirmed it. */
export function moderatorsOf({ isOneEnough, isLone }: Pick<RewardCard, 'isOneEnough' | 'isLone'>): RewardModerators {
  return { isOneEnough: isOneEnough === true, isLone: isLone === true };
}

export function isOpenAt({ rewardCards: table }: Tables, nowMs: number): SQL | undefined {
  return and(eq(table.status, 'proposed'), gt(table.expiresAtMs, nowMs));
}
