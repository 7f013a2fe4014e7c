import { toHeader } from '../../core/x402.ts';
import type { TransferAuthorization } from '../signing.ts';
import type { AgreedTerms, Challenge } from './terms.ts';

/** The `PAYMENT-SIGNATURE` value of x402 version 2. */
export function paymentHeader({ resource }: Challenge, terms: AgreedTerms, payload: Record<string, unknown>): string {
  return toHeader({ x402Version: 2, ...(resource ? { resource } : {}), accepted: terms, payload });
}

/** What proves a payment on Base: the authorization and its signature. */
export function basePayload(authorization: TransferAuthorization, signature: string): Record<string, unknown> {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  return {
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
  };
}

/** What proves one on Solana: the transaction, in base64, without the fee payer's signature. */
export function solanaPayload(transaction: string): Record<string, unknown> {
  return { transaction };
}
