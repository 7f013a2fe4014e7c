/** When money may leave a personal wallet: a thief of an account is noticed before they can take much. */
import { microUsdc, type MicroUsdc } from '../money.ts';
import { WITHOUT_PASSKEY_MS } from './passkeys.ts';

/** Long enough for the owner to notice what another person has asked for. */
export const ADDRESS_WAIT_MS = 24 * 3_600_000;
/**
 * How long we try to tell every holder of the wallet. Then the wait begins anyway, because otherwise one chat that
 * never answers would keep the money for good.
 */
export const TELLING_MAX_MS = 48 * 3_600_000;
/** The most that may leave a wallet per day (UTC) for addresses that are not known yet, over all networks. */
export const AT_ONCE_DAILY_MAX: MicroUsdc = microUsdc(10_000_000n);
/** The most withdrawals of a wallet at a time and per day. Each costs us a fee, and its owner nothing. */
export const WITHDRAWALS_OPEN_MAX = 3n;
export const WITHDRAWALS_DAILY_MAX = 20n;

/** What is known about the target address of a withdrawal, on one network. */
export type AddressStanding = {
  /**
   * Since when the wallet's holders know that the address was asked for and could call it off; null: they do not know,
   * or it was not asked for.
   */
  sinceMs: number | null;
  /** No withdrawal has gone, or will go, to another address on this network. */
  isFirst: boolean;
};

/** `isAtOnce`: it leaves now only because it is small, and counts against the day's sum of such withdrawals. */
export type Leaving = { notBeforeMs: number; isAtOnce: boolean };

/** An address is known after the wait; then any amount may leave. */
export function isKnownAddress({ sinceMs }: Pick<AddressStanding, 'sinceMs'>, nowMs: number): boolean {
  return sinceMs !== null && sinceMs + ADDRESS_WAIT_MS <= nowMs;
}

/** When the address becomes known, if holders who were not told yet are told now. */
export function knownFrom({ sinceMs }: Pick<AddressStanding, 'sinceMs'>, nowMs: number): number {
  return (sinceMs ?? nowMs) + ADDRESS_WAIT_MS;
}

/**
 * Whether a withdrawal's wait begins now. `isUnderWay`: as far as we know, a holder of the wallet can still be told and
 * has not been. A chat that is gone, or closed to us, is not waited for.
 */
export function isToldEnough(
  { createdAtMs, isUnderWay }: { createdAtMs: number; isUnderWay: boolean },
  nowMs: number,
): boolean {
  return !isUnderWay || createdAtMs + TELLING_MAX_MS <= nowMs;
}

/**
 * When a withdrawal that is asked for now may leave, if the wallet's holders are told at once; a later notice moves the
 * time. `leftAtOnce`: what the day still allows. No withdrawal is refused: one that may not leave at once waits until
 * its address is known. `isSigned`: the passkey of the wallet has agreed, or it has none; without it nothing leaves at once.
 */
export function leavingOf(
  standing: AddressStanding,
  { amount, leftAtOnce, isSigned }: { amount: MicroUsdc; leftAtOnce: bigint; isSigned: boolean },
  nowMs: number,
): Leaving {
  if (!isSigned) {
    const notBeforeMs = Math.max(nowMs + WITHOUT_PASSKEY_MS, knownFrom(standing, nowMs));
    return { notBeforeMs, isAtOnce: false };
  }
  if (isKnownAddress(standing, nowMs)) return { notBeforeMs: nowMs, isAtOnce: false };
  if (standing.isFirst && amount <= leftAtOnce) return { notBeforeMs: nowMs, isAtOnce: true };
  return { notBeforeMs: knownFrom(standing, nowMs), isAtOnce: false };
}

/** Whether a withdrawal has to wait instead of leaving at once. */
export function isPutOff({ notBeforeMs, createdAtMs }: { notBeforeMs: number; createdAtMs: number }): boolean {
  return notBeforeMs > createdAtMs;
}
