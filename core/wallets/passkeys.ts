/** Once a purse has a passkey, a stolen cookie, mailbox or account alone takes nothing out of it. */
import { KEPT_IT_MS, type HolderTimes } from './holder-wait.ts';
import { PROOF_FRESH_MS } from '../claims/claims.ts';

/** Long enough for those who hold the purse to stop a passkey that is not theirs. */
export const PASSKEY_WAIT_MS = 24 * 3_600_000;
/** How long money waits that leaves without the passkey, and a passkey that is taken away or joined without it. */
export const WITHOUT_PASSKEY_MS = 72 * 3_600_000;
/** A person has a few devices; each one more is one more to lose. */
export const PASSKEYS_MAX = 5;

/** `holdsFromMs`: from then on money leaves with it. `endsAtMs`: it was given up, and counts until then; null: it stays. */
export type PasskeyTimes = { holdsFromMs: number; endsAtMs: number | null };

export function holdsAt({ holdsFromMs, endsAtMs }: PasskeyTimes, atMs: number): boolean {
  return holdsFromMs <= atMs && (endsAtMs === null || endsAtMs > atMs);
}

/** Whether a passkey counts then: money leaves with it alone, or late. */
export function isGuardedAt(passkeys: readonly PasskeyTimes[], atMs: number): boolean {
  return passkeys.some((one) => holdsAt(one, atMs));
}

/**
 * When a passkey begins to count that this session adds. At once only for the one that kept the money and has just proved the
 * name: a stolen cookie must not become the only key. Beside one that counts already it is as a way out without that one.
 */
export function passkeyFrom(
  adder: Pick<HolderTimes, 'sinceMs' | 'spendsFromMs'>,
  known: readonly PasskeyTimes[],
  nowMs: number,
): number {
  if (isGuardedAt(known, nowMs)) return nowMs + WITHOUT_PASSKEY_MS;
  const isFresh = adder.sinceMs + PROOF_FRESH_MS > nowMs;
  return adder.spendsFromMs === KEPT_IT_MS && isFresh ? nowMs : nowMs + PASSKEY_WAIT_MS;
}

/** Whether this act may go on at once: no passkey counted when it was asked for, or one of those has signed it. */
export function isSignedFor(
  passkeys: readonly (PasskeyTimes & { id: string })[],
  signedBy: string | null,
  atMs: number,
): boolean {
  const counting = passkeys.filter((one) => holdsAt(one, atMs));
  return counting.length === 0 || counting.some(({ id }) => id === signedBy);
}
