import type { Network } from '../../core/networks.ts';
import { microUsdc, sumUsdc, type MicroUsdc } from '../../core/money.ts';
import { OPEN_WITHDRAWAL_STATES } from '../../core/states.ts';
import { and, asc, eq, gt, inArray, isNotNull, isNull, min, or, type SQL } from 'drizzle-orm';
import {
  ADDRESS_WAIT_MS,
  isKnownAddress,
  knownFrom,
  TELLING_MAX_MS,
  WITHDRAWALS_DAILY_MAX,
} from '../../core/wallets/withdrawal-wait.ts';
import type { Tables } from '../schema/tables.ts';
import type { Db, Store } from '../store/store.ts';
import { endWithin } from './end.ts';
import { selectWithdrawals, toWithdrawal, type WithdrawalRow } from './find.ts';
import { addressStanding, letsStand } from './standing.ts';

const DAY_MS = 24 * 3_600_000;

/** More wait only for a holder of many wallets; the rest are listed the next time. */
const WAITING_MAX = 20;
/**
 * More addresses than a wallet can ask for before the first becomes known, over all the days that takes: an attacker
 * must not bury one address under others.
 */
const YOUNG_MAX = (2 + (TELLING_MAX_MS + ADDRESS_WAIT_MS) / DAY_MS) * Number(WITHDRAWALS_DAILY_MAX);

/** Requested withdrawals that leave later, the earliest first. */
export async function waitingWithdrawals(store: Store, walletIds: readonly string[]): Promise<WithdrawalRow[]> {
  const { walletWithdrawals } = store.tables;
  const isPutOff = gt(walletWithdrawals.notBeforeMs, walletWithdrawals.createdAtMs);
  const rows = await selectWithdrawals(store.read, store.tables)
    .where(
      and(inArray(walletWithdrawals.walletId, [...walletIds]), eq(walletWithdrawals.status, 'requested'), isPutOff),
    )
    .orderBy(asc(walletWithdrawals.notBeforeMs), asc(walletWithdrawals.id))
    .limit(WAITING_MAX);
  return rows.map(toWithdrawal);
}

/** The first immediate withdrawal to an address that is not known yet, and when the address becomes known. */
export type Fresh = { row: WithdrawalRow; knownFromMs: number };

/** One for each address, unless it was called off. */
export async function freshAddresses(store: Store, walletIds: readonly string[], nowMs: number): Promise<Fresh[]> {
  const { walletWithdrawals } = store.tables;
  const isOf = and(inArray(walletWithdrawals.walletId, [...walletIds]), isNotNull(walletWithdrawals.countedOn));
  return freshWithin(store.read, store, isOf, nowMs);
}

async function freshWithin(db: Db, store: Store, which: SQL | undefined, nowMs: number): Promise<Fresh[]> {
  const { tables } = store;
  const { walletWithdrawals } = tables;
  const { walletId, network, toAddress, notifiedAtMs } = walletWithdrawals;
  const standing = and(which, letsStand(tables));
  // Addresses no holder was notified of yet, however old, and those whose waiting time is not over.
  const isYoung = or(isNull(min(notifiedAtMs)), gt(min(notifiedAtMs), nowMs - ADDRESS_WAIT_MS));
  const addresses = await db
    .select({ walletId, network, toAddress })
    .from(walletWithdrawals)
    .where(standing)
    .groupBy(walletId, network, toAddress)
    .having(isYoung)
    .limit(YOUNG_MAX);
  const fresh: Fresh[] = [];
  for (const address of addresses) {
    const own = await addressStanding(db, tables, address);
    // A known address may have an older row that counts.
    if (isKnownAddress(own, nowMs)) continue;
    const isIt = and(eq(walletId, address.walletId), eq(network, address.network), eq(toAddress, address.toAddress));
    const [row] = await selectWithdrawals(db, tables)
      .where(and(standing, isIt))
      .orderBy(asc(walletWithdrawals.createdAtMs), asc(walletWithdrawals.id))
      .limit(1);
    if (row !== undefined) fresh.push({ row: toWithdrawal(row), knownFromMs: knownFrom(own, nowMs) });
  }
  return fresh.toSorted((one, other) => one.row.createdAtMs - other.row.createdAtMs);
}

/** A wallet, and one address if only its withdrawals are called off. */
export type CalledOff = { walletId: string; to?: { network: Network; address: string } };
/** `ended`: withdrawals that never left and never will. `left`: of those that had, one for each address new again. */
export type Cancelled = { ended: WithdrawalRow[]; left: WithdrawalRow[] };

/**
 * Ends what waits in a wallet, and makes addresses that are not known yet new again, in one transaction. A withdrawal
 * signed meanwhile leaves, and is not in `ended`.
 */
export async function callOff(store: Store, { walletId, to }: CalledOff, nowMs: number): Promise<Cancelled> {
  const { transfers, walletWithdrawals } = store.tables;
  const isThere =
    to === undefined
      ? undefined
      : and(eq(walletWithdrawals.network, to.network), eq(walletWithdrawals.toAddress, to.address));
  const concerned = and(eq(walletWithdrawals.walletId, walletId), isThere);
  // Also immediate withdrawals that are not signed yet.
  const isToNewOne = or(
    gt(walletWithdrawals.notBeforeMs, walletWithdrawals.createdAtMs),
    isNotNull(walletWithdrawals.countedOn),
  );
  return store.tx(async (db) => {
    const end = { status: 'failed', failure: 'cancelled', calledOffAtMs: nowMs } as const;
    const cancelled = db.select({ id: walletWithdrawals.id }).from(walletWithdrawals).where(and(concerned, isToNewOne));
    // Queued are also dead ones, which would be signed again.
    const isUnsigned = and(inArray(transfers.id, cancelled), eq(transfers.status, 'queued'));
    const ended = await endWithin(db, store, isUnsigned, end, nowMs);
    const left = (await freshWithin(db, store, concerned, nowMs)).map(({ row }) => row);
    for (const { network, toAddress } of left) {
      const isIt = and(eq(walletWithdrawals.network, network), eq(walletWithdrawals.toAddress, toAddress));
      await db
        .update(walletWithdrawals)
        .set({ calledOffAtMs: nowMs })
        .where(and(eq(walletWithdrawals.walletId, walletId), isIt, isNull(walletWithdrawals.calledOffAtMs)));
    }
    return { ended, left };
  });
}

/** `holderId`: who asked; left out, anyone. */
type Asked = { walletIds: readonly string[]; holderId?: string };

/** What was asked of these wallets and nothing is signed of. Queued are also dead ones, which would be signed again. */
function isUnsignedOf({ transfers, walletWithdrawals }: Tables, { holderId, walletIds }: Asked): SQL | undefined {
  const isTheirs = holderId === undefined ? undefined : eq(walletWithdrawals.holderId, holderId);
  const isOf = and(isTheirs, inArray(walletWithdrawals.walletId, [...walletIds]));
  return and(isOf, inArray(walletWithdrawals.status, [...OPEN_WITHDRAWAL_STATES]), eq(transfers.status, 'queued'));
}

/** What is still in these wallets and is to leave; of one holder, what `endAsked` would end in all. */
export async function unsignedSum({ read, tables }: Pick<Store, 'read' | 'tables'>, asked: Asked): Promise<MicroUsdc> {
  const rows = await selectWithdrawals(read, tables).where(isUnsignedOf(tables, asked));
  return sumUsdc(rows.map(({ withdrawal }) => microUsdc(withdrawal.amountMicroUsdc)));
}

/** Ends what the signer would refuse later: it signs only for one that still holds the wallet. */
export async function endAsked(
  db: Db,
  store: Store,
  { holderId, walletId }: { holderId: string; walletId: string },
  nowMs: number,
): Promise<void> {
  const { transfers } = store.tables;
  const ids = (
    await selectWithdrawals(db, store.tables).where(isUnsignedOf(store.tables, { holderId, walletIds: [walletId] }))
  ).map(({ withdrawal }) => withdrawal.id);
  const end = { status: 'failed', failure: 'cancelled', calledOffAtMs: nowMs } as const;
  await endWithin(db, store, and(inArray(transfers.id, ids), eq(transfers.status, 'queued')), end, nowMs);
}
