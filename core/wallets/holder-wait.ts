/** When a browser or chat account that proves a name may spend what others keep there already. */

/** Long enough for those who hold the wallet to notice a stranger who has got into an account of theirs. */
export const HOLDER_WAIT_MS = 24 * 3_600_000;
/** A mailbox or domain that nobody used for long may have a new owner. */
export const LAPSED_HOLDER_WAIT_MS = 7 * 24 * 3_600_000;

/** Of a holder that kept money for the name before any other did. */
export const KEPT_IT_MS = 0;
/** Of one that chose to keep while nothing waited: it spends at once, but makes nobody wait who keeps money. */
export const CAME_FIRST_MS = 1;

/**
 * `kept`: nobody had kept money for this name, and this one does. `first`: nobody may spend from the wallet, and nothing is
 * kept. `lapsed`: it is kept for a name that may have changed hands meanwhile.
 */
export type HolderStanding = 'kept' | 'first' | 'another' | 'lapsed';

/** From when a new holder may spend; until then it only looks. */
export function spendsFrom(standing: HolderStanding, nowMs: number): number {
  switch (standing) {
    case 'kept':
      return KEPT_IT_MS;
    case 'first':
      return CAME_FIRST_MS;
    case 'another':
      return nowMs + HOLDER_WAIT_MS;
    case 'lapsed':
      return nowMs + LAPSED_HOLDER_WAIT_MS;
  }
}
