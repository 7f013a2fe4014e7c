/** A recipient for whom an account would be opened at our cost: what waits for them, and since when. */
export type WaitingOpening = { account: string; sumMicroUsdc: bigint; sinceMs: number; isKept: boolean };

/** How many accounts may still be opened today, and how many of them for wallets that are kept here. */
export type OpeningRoom = { all: number; kept: number };

const DAY_MS = 24 * 3_600_000;

/**
 * Who gets the accounts that a day has left. Places go in turn to the payout that has waited since the earliest day and to the
 * largest sum, so nobody waits for ever, and many small sums, which cost their sender nothing, get at most half of them.
 */
export function placesFor(waiting: readonly WaitingOpening[], room: OpeningRoom): Set<string> {
  const bySum = [...gather(waiting).values()].toSorted(largestFirst);
  const byDay = bySum.toSorted((one, other) => dayOf(one) - dayOf(other) || largestFirst(one, other));
  const places = new Set<string>();
  let kept = 0;
  const fits = ({ account, isKept }: WaitingOpening) => !places.has(account) && (!isKept || kept < room.kept);
  for (let turn = 0; places.size < room.all; turn += 1) {
    const next = (turn % 2 === 0 ? byDay : bySum).find(fits);
    if (next === undefined) break;
    places.add(next.account);
    if (next.isKept) kept += 1;
  }
  return places;
}

const dayOf = ({ sinceMs }: WaitingOpening): number => Math.floor(sinceMs / DAY_MS);

function largestFirst(one: WaitingOpening, other: WaitingOpening): number {
  if (one.sumMicroUsdc !== other.sumMicroUsdc) return one.sumMicroUsdc > other.sumMicroUsdc ? -1 : 1;
  return one.sinceMs - other.sinceMs;
}

/** One per account: everything that waits for it, since the first of it. */
function gather(waiting: readonly WaitingOpening[]): Map<string, WaitingOpening> {
  const byAccount = new Map<string, WaitingOpening>();
  for (const one of waiting) {
    const before = byAccount.get(one.account);
    const sumMicroUsdc = (before?.sumMicroUsdc ?? 0n) + one.sumMicroUsdc;
    byAccount.set(one.account, {
      ...one,
      sumMicroUsdc,
      sinceMs: Math.min(before?.sinceMs ?? one.sinceMs, one.sinceMs),
    });
  }
  return byAccount;
}
