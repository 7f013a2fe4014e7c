import type { Network } from '../../core/networks.ts';
import { eq } from 'drizzle-orm';
import type { MicroUsdc } from '../../core/money.ts';
import { AT_ONCE_DAILY_MAX, leavingOf, type Leaving } from '../../core/wallets/withdrawal-wait.ts';
import { takeWithin } from '../store/counters.ts';
import { dayOf } from '../limits/daily.ts';
import type { Db, Store } from '../store/store.ts';
import { isSigned } from '../wallets/passkeys.ts';
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
  if (!(await takeWithin(db, store, atOnceCounter(walletId, countedOn), amountMicroUsdc, AT_ONCE_DAILY_MAX))) {
    throw new Error(`wallet ${walletId} has no room for ${amountMicroUsdc} on ${countedOn}, and a moment ago it had`);
  }
  return { notBeforeMs, countedOn };
}

async function decide(db: Db, { tables }: Store, wish: Wish, nowMs: number): Promise<Leaving> {
  const { counters } = tables;
  const standing = await addressStanding(db, tables, wish);
  const [today] = await db
    .select({ used: counters.used })
    .from(counters)
    .where(eq(counters.name, atOnceCounter(wish.walletId, dayOf(nowMs))));
  const leftAtOnce = AT_ONCE_DAILY_MAX - (today?.used ?? 0n);
  const signed = await isSigned(db, tables, { ...wish, passkeyId: wish.passkeyId ?? null }, nowMs);
  return leavingOf(standing, { amount: wish.amountMicroUsdc, leftAtOnce, isSigned: signed }, nowMs);
}
