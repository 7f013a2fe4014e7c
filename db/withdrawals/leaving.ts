import type { Network } from '../../core/networks.ts';
import { inArray } from 'drizzle-orm';
import type { MicroUsdc } from '../../core/money.ts';
import { AT_ONCE_DAILY_MAX, leavingOf, type Leaving } from '../../core/wallets/withdrawal-wait.ts';
import { addWithin, takeWithin } from '../store/counters.ts';
import { dayOf } from '../limits/daily.ts';
import type { Tables } from '../schema/tables.ts';
import type { Db, Store } from '../store/store.ts';
import { isSigned } from '../wallets/passkeys.ts';
import { spentCounter } from '../wallets/spending.ts';
import { walletLimitsAt } from '../wallets/wallet-limits.ts';
import { atOnceCounter } from './limits.ts';
import { addressStanding } from './standing.ts';

type Wish = {
  walletId: string;
  network: Network;
  toAddress: string;
  toTreasury?: string | null | undefined;
  amountMicroUsdc: MicroUsdc;
  passkeyId?: string | null | undefined;
};

/** When a withdrawal may leave, as its row says it. */
export type RowLeaving = { notBeforeMs: number; countedOn: string | null };

/** When it could leave if it were asked for now; nothing is written down. */
export function previewLeaving(store: Store, wish: Wish, nowMs: number): Promise<Leaving> {
  return decide(store.read, store, wish, nowMs);
}

/** Decides it, and takes its part of the day; belongs into the transaction that writes the row. */
export async function takeLeaving(db: Db, store: Store, wish: Wish, nowMs: number): Promise<RowLeaving> {
  const { walletId, amountMicroUsdc } = wish;
  const { notBeforeMs, isAtOnce } = await decide(db, store, wish, nowMs);
  if (!isAtOnce) return { notBeforeMs, countedOn: null };
  const countedOn = dayOf(nowMs);
  const { day } = await walletLimitsAt(db, walletId, nowMs);
  const isTaken =
    (await takeWithin(db, store, atOnceCounter(walletId, countedOn), amountMicroUsdc, AT_ONCE_DAILY_MAX)) &&
    (await takeWithin(db, store, spentCounter(walletId, countedOn), amountMicroUsdc, day));
  if (!isTaken) {
    throw new Error(`wallet ${walletId} has no room for ${amountMicroUsdc} on ${countedOn}, and a moment ago it had`);
  }
  return { notBeforeMs, countedOn };
}

type Counted = { walletId: string; countedOn: string | null; amountMicroUsdc: bigint };

/** Gives back what `takeLeaving` took, if anything; belongs into the transaction after which it does not leave at once. */
export async function giveBackLeaving(db: Db, store: Store, row: Counted): Promise<void> {
  const { walletId, countedOn, amountMicroUsdc } = row;
  if (countedOn === null) return;
  await addWithin(db, store, atOnceCounter(walletId, countedOn), -amountMicroUsdc);
  await addWithin(db, store, spentCounter(walletId, countedOn), -amountMicroUsdc);
}

async function decide(db: Db, { tables }: Store, wish: Wish, nowMs: number): Promise<Leaving> {
  const standing = await addressStanding(db, tables, wish);
  const leftAtOnce = await readLeft(db, tables, wish.walletId, nowMs);
  const signed = await isSigned(db, tables, { ...wish, passkeyId: wish.passkeyId ?? null }, nowMs);
  return leavingOf(standing, { amount: wish.amountMicroUsdc, leftAtOnce, isSigned: signed }, nowMs);
}

/** What tips have left of the day's limit, and no more than the most that leaves at once. */
async function readLeft(db: Db, { counters }: Tables, walletId: string, nowMs: number): Promise<bigint> {
  const names = [atOnceCounter(walletId, dayOf(nowMs)), spentCounter(walletId, dayOf(nowMs))] as const;
  const used = new Map(
    (await db.select().from(counters).where(inArray(counters.name, names))).map((row) => [row.name, row.used]),
  );
  const { day } = await walletLimitsAt(db, walletId, nowMs);
  const [atOnce, ofDay] = [AT_ONCE_DAILY_MAX - (used.get(names[0]) ?? 0n), day - (used.get(names[1]) ?? 0n)];
  return atOnce < ofDay ? atOnce : ofDay;
}
