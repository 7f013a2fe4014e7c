import { FORMER_TERMS_MS } from '../../core/payments/former-address.ts';

/**
 * The treasuries that a rotation has replaced, and since when. Proofs that name one are taken for a while, so what was
 * handed out before goes on; not where others may know the key, who could take what is paid there.
 */
export type FormerTerms = {
  note: (address: string, sinceMs: number) => void;
  /** Whether a proof may name this address in place of the treasury. */
  takes: (address: string, nowMs: number) => boolean;
  /** Whether others may know its key. */
  isCompromised: (address: string) => boolean;
};

export function createFormerTerms(compromised: readonly string[] = []): FormerTerms {
  const since = new Map<string, number>();
  const isCompromised = (address: string) => compromised.includes(address);
  return {
    isCompromised,
    note: (address, sinceMs) => void since.set(address, sinceMs),
    takes: (address, nowMs) => !isCompromised(address) && nowMs < (since.get(address) ?? -Infinity) + FORMER_TERMS_MS,
  };
}
