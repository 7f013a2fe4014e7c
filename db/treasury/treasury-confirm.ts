import { and, eq } from 'drizzle-orm';
import { microUsdc } from '../../core/money.ts';
import type { Network } from '../../core/networks.ts';
import type { TreasuryRole } from '../../core/treasury/treasury.ts';
import { move } from '../store/move.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { requestWithin } from '../withdrawals/request.ts';
import { addressesWithin } from './treasury-addresses.ts';
import {
  confirmationsOf,
  expireWithin,
  followWithin,
  isOpen,
  type TreasuryConfirmation,
  type TreasuryWithdrawal,
} from './treasury-withdrawals.ts';

/** What the platform says now about the community's owner and moderators. */
export type Standing = {
  /** Null where it has no owner. */
  ownerId: string | null;
  /** The moderators among those the platform was asked about. The owner may be left out. */
  moderatorIds: readonly string[];
  /** The community has no other member who could confirm. */
  isOwnerAlone: boolean;
  /** When the bot joined; null where the platform does not say. */
  botSinceMs: number | null;
};

export type Press = {
  id: string;
  userId: string;
  /** The members the platform was asked about. */
  askedIds: readonly string[];
  standing: Standing;
  network: Network;
  fromAddress: string;
  nowMs: number;
};

export type Confirmed =
  /** It waits for more confirmations. */
  | { kind: 'recorded' }
  /** A member has confirmed whom the platform was not asked about: it has to be asked again. */
  | { kind: 'ask_again' }
  /** It has enough confirmations: the withdrawal now exists, and is never made twice. */
  | { kind: 'confirmed'; row: TreasuryWithdrawal }
  /** Its address was cancelled or replaced. */
  | { kind: 'expired'; row: TreasuryWithdrawal }
  | { kind: 'over' };

/**
 * Records the confirmation of the owner or a moderator. With the owner and one other current moderator it also requests
 * the withdrawal, in the same transaction. Confirmations of former moderators do not count. Throws AppError
 * `rate_limited`, with nothing written, when the wallet has too many withdrawals.
 */
export async function confirmTreasuryWithdrawal(store: Store, press: Press): Promise<Confirmed> {
  return store.tx(async (db): Promise<Confirmed> => {
    const { tables } = store;
    const row = await lock(db, tables, press);
    if (row === null) return { kind: 'over' };
    const { active } = await addressesWithin(db, tables, row, { ...press.standing, nowMs: press.nowMs });
    if (active?.id !== row.addressId) return expire(db, tables, press);
    await record(db, tables, press);
    const confirmations = await confirmationsOf(db, tables, row.id);
    if (confirmations.some(({ userId }) => !press.askedIds.includes(userId))) return { kind: 'ask_again' };
    const counting = await keepStanding(db, tables, confirmations, press.standing);
    const hasOther = counting.some(({ role }) => role === 'moderator');
    const isEnough = counting.some(({ role }) => role === 'owner') && (hasOther || press.standing.isOwnerAlone);
    return isEnough ? release(db, store, row, { press, isOwnerAlone: !hasOther }) : { kind: 'recorded' };
  });
}

/** Of two presses at once the later one waits here for the earlier one, and sees what it has written. */
async function lock(db: Db, tables: Tables, { id, nowMs }: Press): Promise<TreasuryWithdrawal | null> {
  const { treasuryWithdrawals: table } = tables;
  const [row] = await db
    .update(table)
    .set({ id })
    .where(isOpen(tables, id, nowMs))
    .returning();
  return row ?? null;
}

async function record(db: Db, { treasuryConfirmations: table }: Tables, press: Press): Promise<void> {
  const { id: withdrawalId, userId, standing, nowMs } = press;
  const role = roleOf(userId, standing);
  if (role === null) throw new Error(`${userId} confirms a withdrawal from a treasury, and does not moderate there`);
  await db.insert(table).values({ withdrawalId, userId, role, confirmedAtMs: nowMs }).onConflictDoNothing();
}

/** Updates each confirmation to its member's present role, and deletes those of members without one. */
async function keepStanding(
  db: Db,
  { treasuryConfirmations: table }: Tables,
  confirmations: readonly TreasuryConfirmation[],
  standing: Standing,
): Promise<TreasuryConfirmation[]> {
  const counting: TreasuryConfirmation[] = [];
  for (const confirmation of confirmations) {
    const { withdrawalId, userId } = confirmation;
    const isThis = and(eq(table.withdrawalId, withdrawalId), eq(table.userId, userId));
    const role = roleOf(userId, standing);
    if (role === null) await db.delete(table).where(isThis);
    else {
      if (role !== confirmation.role) await db.update(table).set({ role }).where(isThis);
      counting.push({ ...confirmation, role });
    }
  }
  return counting;
}

function roleOf(userId: string, { ownerId, moderatorIds }: Standing): TreasuryRole | null {
  if (userId === ownerId) return 'owner';
  return moderatorIds.includes(userId) ? 'moderator' : null;
}

/** Once: the row leaves `proposed` here, and the withdrawal has its id. */
async function release(
  db: Db,
  store: Store,
  row: TreasuryWithdrawal,
  { press, isOwnerAlone }: { press: Press; isOwnerAlone: boolean },
): Promise<Confirmed> {
  const { treasuryWithdrawals: table } = store.tables;
  const { id, walletId, toAddress } = row;
  const { nowMs, userId, network, fromAddress } = press;
  if (network !== row.network) throw new Error(`a withdrawal on ${row.network} is confirmed for ${network}`);
  await requestWithin(db, store, {
    id,
    holderId: walletId,
    requestKey: id,
    walletId,
    network,
    fromAddress,
    toAddress,
    amountMicroUsdc: microUsdc(row.amountMicroUsdc),
    nowMs,
  });
  const [confirmed] = await move(db, table, {
    where: eq(table.id, id),
    set: { status: 'confirmed', isOwnerAlone, endedBy: userId, endedAtMs: nowMs },
  });
  if (!confirmed) throw new Error(`the withdrawal ${id} from a treasury vanished while it was confirmed`);
  await followWithin(db, store.tables, confirmed);
  return { kind: 'confirmed', row: confirmed };
}

async function expire(db: Db, tables: Tables, { id, nowMs }: Press): Promise<Confirmed> {
  const [row] = await expireWithin(db, tables, id, nowMs);
  return row ? { kind: 'expired', row } : { kind: 'over' };
}
