import { dayOf } from '../limits/daily.ts';
import { payerAccountId } from '../payer-account.ts';

/** Each costs us a fee, and the owner nothing. */
export const OPEN_MAX = 3n;
export const DAILY_MAX = 20n;

/** Counters are kept longer than names may be, so a wallet is in them by an opaque id. */
export function openCounter(walletId: string): string {
  return `withdrawals_open:${payerAccountId(walletId)}`;
}

export function dailyCounter(walletId: string, nowMs: number): string {
  return `withdrawals_of_day:${dayOf(nowMs)}:${payerAccountId(walletId)}`;
}
