/** A day in UTC: counters of a day start at zero because each has its own name. */
function dayOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 10);
}

/** Transactions of a payer that failed on the chain today. */
export function failuresCounter(payer: string, nowMs: number): string {
  return `failures:solana:${payer}:${dayOf(nowMs)}`;
}

/** Token accounts that we opened for others today. */
export function accountsCounter(nowMs: number): string {
  return `accounts:solana:${dayOf(nowMs)}`;
}

/** Those of them that belong to wallets whose keys are here. */
export function keptAccountsCounter(nowMs: number): string {
  return `accounts_kept:solana:${dayOf(nowMs)}`;
}
