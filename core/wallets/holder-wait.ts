/** When a browser or chat account that proves a name may spend what others keep there already. */

/** Long enough for those who hold the wallet to notice a stranger who has got into an account of theirs. */
export const HOLDER_WAIT_MS = 24 * 3_600_000;
/** A mailbox or domain that nobody used for long may have a new owner. */
export const LAPSED_HOLDER_WAIT_MS = 7 * 24 * 3_600_000;

/** `first`: nobody held the wallet. `lapsed`: it is kept for a name that may have changed hands meanwhile. */
export type HolderStanding = 'first' | 'another' | 'lapsed';

/** From when a new holder may spend; until then it only looks. 0: at once. */
export function spendsFrom(standing: HolderStanding, nowMs: number): number {
  switch (standing) {
    case 'first':
      return 0;
    case 'another':
      return nowMs + HOLDER_WAIT_MS;
    case 'lapsed':
      return nowMs + LAPSED_HOLDER_WAIT_MS;
  }
}
