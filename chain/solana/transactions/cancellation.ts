import { fromBase58 } from '../messages/base58.ts';
import { isSignedBy } from '../messages/key.ts';
import { SIGNATURE_BYTES } from '../messages/programs.ts';

/** `network`: its name in x402 v2. `validBefore` in Unix seconds. */
export type SolanaCancellation = { network: string; txnId: number; validBefore: number };

/** The last second that a date can express. */
const SECONDS_MAX = 8_640_000_000_000;

/**
 * What a payer signs to take back an uncollected tip: text that a wallet shows unchanged. It names us, the network and
 * the payment, so no other service can mistake it for theirs. It cannot be a transaction, because those begin with a
 * small number.
 */
export function cancellationText({ network, txnId, validBefore }: SolanaCancellation): string {
  const until = new Date(validBefore * 1000).toISOString().replace('T', ' ').replace('.000Z', ' UTC');
  return [
    'pennypost: I take back a tip that nobody has collected.',
    '',
    `Payment: ${txnId}`,
    `Network: ${network}`,
    `Valid before: ${validBefore} (${until})`,
  ].join('\n');
}

/** Whether the payer's own key signed the text, as bare UTF-8. `signature`: base58 of 64 bytes. */
export function isCancelledBySolana(payer: string, cancellation: SolanaCancellation, signature: string): boolean {
  const { validBefore } = cancellation;
  const bytes = fromBase58(signature, SIGNATURE_BYTES);
  const hasDate = validBefore >= 0 && validBefore <= SECONDS_MAX;
  if (!bytes || !hasDate) return false;
  return isSignedBy(payer, Buffer.from(cancellationText(cancellation)), bytes);
}
