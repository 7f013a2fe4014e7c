/** When a browser or chat account that proves a name may spend what others already keep there. */
import { ADDRESS_LAPSE_MS, PROOF_FRESH_MS } from '../claims/claims.ts';

/** Long enough for those who hold the wallet to notice a stranger who has got into an account of theirs. */
export const HOLDER_WAIT_MS = 24 * 3_600_000;
/** A mailbox that nobody used for long may have a new owner. */
export const LAPSED_HOLDER_WAIT_MS = 7 * 24 * 3_600_000;

/** For a holder that kept money for the name before anyone else did. */
export const KEPT_IT_MS = 0;
/** For one that chose to keep while nothing waited: it may spend at once, but delays nobody who keeps money. */
export const CAME_FIRST_MS = 1;

/** A holder of the wallet: when it last proved the name, and from when it may spend and look. */
export type HolderTimes = { holderId: string; sinceMs: number; spendsFromMs: number; looksFromMs: number };

/** `keeps`: what the claim of the newcomer keeps here; null: it only signs in. `mayLapse`: the name may change owners. */
export type Newcomer = { keeps: 'money' | 'nothing' | null; mayLapse: boolean };

/**
 * `kept`: nobody had kept money for this name, and this one does. `first`: nobody may spend from the wallet, and nothing is
 * kept. `another`: it only looks until it may spend; one who may be a new owner does not even look before.
 */
export type Standing = { kind: 'kept' | 'first' | 'another'; spendsFromMs: number; looksFromMs: number };

/** The position of one that has just proved the name, towards those who already hold the wallet. */
export function standingOf(newcomer: Newcomer, held: readonly HolderTimes[], nowMs: number): Standing {
  const { keeps, mayLapse } = newcomer;
  const spending = held.filter(({ spendsFromMs }) => spendsFromMs <= nowMs);
  const hasLapsed = mayLapse && isUnused(spending, nowMs);
  const isKept = held.some(({ spendsFromMs }) => spendsFromMs === KEPT_IT_MS);
  if (keeps === 'money' && !isKept && !hasLapsed) return { kind: 'kept', spendsFromMs: KEPT_IT_MS, looksFromMs: 0 };
  if (keeps !== null && spending.length === 0) return { kind: 'first', spendsFromMs: CAME_FIRST_MS, looksFromMs: 0 };
  const spendsFromMs = nowMs + (hasLapsed ? LAPSED_HOLDER_WAIT_MS : HOLDER_WAIT_MS);
  return { kind: 'another', spendsFromMs, looksFromMs: hasLapsed ? spendsFromMs : 0 };
}

/**
 * Only a holder who may spend can show that the name is still used by its owner: what a newcomer does, such as keeping
 * money or giving an address, must not shorten the wait of the next one.
 */
function isUnused(spending: readonly HolderTimes[], nowMs: number): boolean {
  return spending.length > 0 && spending.every(({ sinceMs }) => sinceMs + ADDRESS_LAPSE_MS <= nowMs);
}

/**
 * Whether a holder that may spend may also keep a newcomer out. One that merely came first kept no money, and may be a
 * stranger who was once in the account: it needs a fresh proof, or the owner would be kept out for ever.
 */
export function mayEndOthers({ sinceMs, spendsFromMs }: HolderTimes, nowMs: number): boolean {
  if (spendsFromMs > nowMs) return false;
  return spendsFromMs !== CAME_FIRST_MS || sinceMs + PROOF_FRESH_MS > nowMs;
}

/**
 * What it means that this one gives up the wallet. `last`: no other may spend. `handed`: no other may yet, and after `fromMs` one
 * may that could then be ended by nobody. Those who hold it are asked for without the places of nobody.
 */
export type Parting = { kind: 'free' } | { kind: 'last' } | { kind: 'handed'; fromMs: number };

export function partingOf(
  held: readonly Pick<HolderTimes, 'holderId' | 'spendsFromMs'>[],
  holderId: string,
  nowMs: number,
): Parting {
  if (mayLeave(held, holderId, nowMs)) return { kind: 'free' };
  const later = held.filter((one) => one.holderId !== holderId).map(({ spendsFromMs }) => spendsFromMs);
  return later.length === 0 ? { kind: 'last' } : { kind: 'handed', fromMs: Math.min(...later) };
}

/** Whether this one may give up the wallet: not the last one, nor the last that may spend. */
export function mayLeave(
  held: readonly Pick<HolderTimes, 'holderId' | 'spendsFromMs'>[],
  holderId: string,
  nowMs: number,
): boolean {
  const others = held.filter((one) => one.holderId !== holderId);
  const own = held.find((one) => one.holderId === holderId);
  const spends = own !== undefined && own.spendsFromMs <= nowMs;
  return spends ? others.some(({ spendsFromMs }) => spendsFromMs <= nowMs) : others.length > 0;
}
