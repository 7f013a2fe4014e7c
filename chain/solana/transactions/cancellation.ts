import { fromBase58 } from '../messages/base58.ts';
import { cancellationText, type SolanaCancellation } from '../messages/cancellation-text.ts';
import { isSignedBy } from '../messages/key.ts';
import { SIGNATURE_BYTES } from '../messages/programs.ts';

/** The last second that a date can express. */
const SECONDS_MAX = 8_640_000_000_000;

/** Whether the payer's own key signed the text, as bare UTF-8. `signature`: base58 of 64 bytes. */
export function isCancelledBySolana(payer: string, cancellation: SolanaCancellation, signature: string): boolean {
  const { validBefore } = cancellation;
  const bytes = fromBase58(signature, SIGNATURE_BYTES);
  const hasDate = validBefore >= 0 && validBefore <= SECONDS_MAX;
  if (!bytes || !hasDate) return false;
  return isSignedBy(payer, Buffer.from(cancellationText(cancellation)), bytes);
}
