import { dayOf } from '../limits/daily.ts';
import { payerAccountId } from '../ledger/payer-account.ts';

/** Counters are kept longer than names may be, so a wallet is in them by an opaque id. */
export function openCounter(walletId: string, isPutOff = false): string {
  // What waits for a day is counted apart, so that it keeps nothing from leaving now.
  return `${isPutOff ? 'withdrawals_put_off' : 'withdrawals_open'}:${payerAccountId(walletId)}`;
}

/** What has left at once on a day, to addresses that were not known. */
export function atOnceCounter(walletId: string, day: string): string {
  return `withdrawals_at_once:${day}:${payerAccountId(walletId)}`;
}

export function dailyCounter(walletId: string, nowMs: number): string {
  return `withdrawals_of_day:${dayOf(nowMs)}:${payerAccountId(walletId)}`;
}
