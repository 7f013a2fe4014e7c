/** When money may leave a personal wallet for an address: whoever has got at an account shall be noticed before. */
import { microUsdc, type MicroUsdc } from '../money.ts';

/** Long enough for somebody to notice what another person has asked for. */
export const ADDRESS_WAIT_MS = 24 * 3_600_000;
/**
 * So long after the request it is tried to tell everybody who holds the wallet; the day begins then all the same. Else one
 * chat that answers nobody would keep the money for good.
 */
export const TELLING_MAX_MS = 48 * 3_600_000;
/** To an address that has not stood that long, out of one wallet in a day (UTC), over all networks. */
export const AT_ONCE_DAILY_MAX: MicroUsdc = microUsdc(10_000_000n);
/** Out of one wallet, under way at a time and asked for in a day. Each costs us a fee, and the owner nothing. */
export const WITHDRAWALS_OPEN_MAX = 3n;
export const WITHDRAWALS_DAILY_MAX = 20n;

/** What is known about an address that a wallet wants to withdraw to, on one network. */
export type AddressStanding = {
  /**
   * Since when those who hold the wallet know that it was asked for, and could have called it off; null: they do not know,
   * or it was not asked for.
   */
  sinceMs: number | null;
  /** Nothing has gone, or is to go, to another address of this network. */
  isFirst: boolean;
};

/** `isAtOnce`: it leaves only because it is small, and counts against what may leave so in a day. */
export type Leaving = { notBeforeMs: number; isAtOnce: boolean };

/** An address that has stood long enough is known: nothing is asked about the amount then. */
export function isKnownAddress({ sinceMs }: Pick<AddressStanding, 'sinceMs'>, nowMs: number): boolean {
  return sinceMs !== null && sinceMs + ADDRESS_WAIT_MS <= nowMs;
}

/** When it is known; where nobody has been told yet, if that is done now. */
export function knownFrom({ sinceMs }: Pick<AddressStanding, 'sinceMs'>, nowMs: number): number {
  return (sinceMs ?? nowMs) + ADDRESS_WAIT_MS;
}

/**
 * Whether the day of a withdrawal begins now. `isUnderWay`: somebody who holds the wallet can be told and has not been, as
 * far as anybody knows. A chat that is gone, or closed to us, is not waited for.
 */
export function isToldEnough(
  { createdAtMs, isUnderWay }: { createdAtMs: number; isUnderWay: boolean },
  nowMs: number,
): boolean {
  return !isUnderWay || createdAtMs + TELLING_MAX_MS <= nowMs;
}

/**
 * When a withdrawal that is asked for now may leave, if those who hold the wallet are told of it at once: the time moves
 * with their notice. `leftAtOnce`: what the day still allows. Nothing is ever refused, so
 * the money stays its owner's: what may not leave at once waits until its address is known.
 */
export function leavingOf(
  standing: AddressStanding,
  { amount, leftAtOnce }: { amount: MicroUsdc; leftAtOnce: bigint },
  nowMs: number,
): Leaving {
  if (isKnownAddress(standing, nowMs)) return { notBeforeMs: nowMs, isAtOnce: false };
  if (standing.isFirst && amount <= leftAtOnce) return { notBeforeMs: nowMs, isAtOnce: true };
  return { notBeforeMs: knownFrom(standing, nowMs), isAtOnce: false };
}

/** Whether a withdrawal is one that waits, and not one that left, or leaves, at once. */
export function isPutOff({ notBeforeMs, createdAtMs }: { notBeforeMs: number; createdAtMs: number }): boolean {
  return notBeforeMs > createdAtMs;
}
