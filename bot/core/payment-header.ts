import { toHeader } from '../../core/x402.ts';
import type { TransferAuthorization } from '../signer.ts';
import type { AgreedTerms, Challenge } from './terms.ts';

/** The `PAYMENT-SIGNATURE` value of x402 version 2 for a signed authorization. */
export function paymentHeader(
  challenge: Challenge,
  terms: AgreedTerms,
  authorization: TransferAuthorization,
  signature: string,
): string {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  return toHeader({
    x402Version: 2,
    ...(challenge.resource ? { resource: challenge.resource } : {}),
    accepted: terms,
    payload: {
      signature,
      // Numbers as decimal text, as the published clients write them.
      authorization: {
        from,
        to,
        value: value.toString(),
        validAfter: validAfter.toString(),
        validBefore: validBefore.toString(),
        nonce,
      },
    },
  });
}
