import { and, asc, eq, gt, inArray, isNotNull, isNull, min, or, type SQL } from 'drizzle-orm';
import {
  ADDRESS_WAIT_MS,
  isKnownAddress,
  knownFrom,
  TELLING_MAX_MS,
  WITHDRAWALS_DAILY_MAX,
} from '../../core/wallets/withdrawal-wait.ts';
import type { Db, Store } from '../store/store.ts';
import { endWithin } from './end.ts';
import type { WithdrawalRow } from './find.ts';
import { addressStanding, letsStand } from './standing.ts';

const DAY_MS = 24 * 3_600_000;

/** More than these wait for a person only when he holds many wallets; they are there the next time. */
const WAITING_MAX = 20;
/**
 * More addresses than a wallet can ask for until the first of them is known, on all the days that this touches: nobody may
 * bury one under others.
 */
const YOUNG_MAX = (2 + (TELLING_MAX_MS + ADDRESS_WAIT_MS) / DAY_MS) * Number(WITHDRAWALS_DAILY_MAX);

/** What somebody has asked for, and what leaves later only, first what leaves first. */
export async function waitingWithdrawals(store: Store, walletIds: readonly string[]): Promise<WithdrawalRow[]> {
  const { withdrawals } = store.tables;
  const isPutOff = gt(withdrawals.notBeforeMs, withdrawals.createdAtMs);
  return store.read
    .select()
    .from(withdrawals)
    .where(and(inArray(withdrawals.walletId, [...walletIds]), eq(withdrawals.status, 'requested'), isPutOff))
    .orderBy(asc(withdrawals.notBeforeMs), asc(withdrawals.id))
    .limit(WAITING_MAX);
}

/** The first that left, or leaves, at once for an address that is not known yet; from then on it will be. */
export type Fresh = { row: WithdrawalRow; knownFromMs: number };

/** One an address, unless that was called off. */
export async function freshAddresses(store: Store, walletIds: readonly string[], nowMs: number): Promise<Fresh[]> {
  const { withdrawals } = store.tables;
  const isOf = and(inArray(withdrawals.walletId, [...walletIds]), isNotNull(withdrawals.countedOn));
  return freshWithin(store.read, store, isOf, nowMs);
}

async function freshWithin(db: Db, store: Store, which: SQL | undefined, nowMs: number): Promise<Fresh[]> {
  const { tables } = store;
  const { withdrawals } = tables;
  const { walletId, network, toAddress, notifiedAtMs } = withdrawals;
  const standing = and(which, letsStand(tables));
  // Those that nobody has been told of yet, however long ago they were asked for, and those whose day is not over.
  const isYoung = or(isNull(min(notifiedAtMs)), gt(min(notifiedAtMs), nowMs - ADDRESS_WAIT_MS));
  const addresses = await db
    .select({ walletId, network, toAddress })
    .from(withdrawals)
    .where(standing)
    .groupBy(walletId, network, toAddress)
    .having(isYoung)
    .limit(YOUNG_MAX);
  const fresh: Fresh[] = [];
  for (const address of addresses) {
    const own = await addressStanding(db, tables, address);
    // A known one has an older row, too.
    if (isKnownAddress(own, nowMs)) continue;
    const isIt = and(eq(walletId, address.walletId), eq(network, address.network), eq(toAddress, address.toAddress));
    const [row] = await db
      .select()
      .from(withdrawals)
      .where(and(standing, isIt))
      .orderBy(asc(withdrawals.createdAtMs), asc(withdrawals.id))
      .limit(1);
    if (row !== undefined) fresh.push({ row, knownFromMs: knownFrom(own, nowMs) });
  }
  return fresh.toSorted((one, other) => one.row.createdAtMs - other.row.createdAtMs);
}

/** A wallet, and an address where only what concerns that one is called off. */
export type CalledOff = { walletId: string; to?: { network: string; address: string } };
/** `ended`: what has not left and never will. `left`: of what had, one for each address that is new again. */
export type Cancelled = { ended: WithdrawalRow[]; left: WithdrawalRow[] };

/**
 * Ends what waits in a wallet, and makes those addresses new again that are not known yet, in one transaction: what is
 * signed meanwhile leaves, and is not among those that have ended.
 */
export async function callOff(store: Store, { walletId, to }: CalledOff, nowMs: number): Promise<Cancelled> {
  const { withdrawals } = store.tables;
  const isThere =
    to === undefined ? undefined : and(eq(withdrawals.network, to.network), eq(withdrawals.toAddress, to.address));
  const concerned = and(eq(withdrawals.walletId, walletId), isThere);
  // Also what was to leave at once, as long as nobody has signed it.
  const isToNewOne = or(gt(withdrawals.notBeforeMs, withdrawals.createdAtMs), isNotNull(withdrawals.countedOn));
  // What is dead would be signed once more.
  const isOpen = and(concerned, inArray(withdrawals.status, ['requested', 'dead']), isToNewOne);
  return store.tx(async (db) => {
    const end = { status: 'failed', failure: 'cancelled', calledOffAtMs: nowMs } as const;
    const ended = await endWithin(db, store, isOpen, end, nowMs);
    const left = (await freshWithin(db, store, concerned, nowMs)).map(({ row }) => row);
    for (const { network, toAddress } of left) {
      const isIt = and(eq(withdrawals.network, network), eq(withdrawals.toAddress, toAddress));
      await db
        .update(withdrawals)
        .set({ calledOffAtMs: nowMs })
        .where(and(eq(withdrawals.walletId, walletId), isIt, isNull(withdrawals.calledOffAtMs)));
    }
    return { ended, left };
  });
}
