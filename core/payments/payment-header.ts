import type { AgreedTerms, Challenge } from './challenge.ts';
import { PAYMENT_IDENTIFIER, toHeader } from './x402.ts';

/** What is signed on Base (EIP-3009). `value` in micro-USDC, times in Unix seconds. */
type Authorization = {
  from: string;
  to: string;
  value: bigint;
  validAfter: number;
  validBefore: number;
  nonce: string;
};

/**
 * The `PAYMENT-SIGNATURE` value of x402 version 2. `name`: the payer's name for the request, like an `Idempotency-Key`.
 */
export function paymentHeader(
  { resource }: Challenge,
  terms: AgreedTerms,
  payload: Record<string, unknown>,
  name: string | null = null,
): string {
  const extensions = name === null ? {} : { extensions: { [PAYMENT_IDENTIFIER]: { info: { id: name } } } };
  return toHeader({ x402Version: 2, ...(resource ? { resource } : {}), accepted: terms, payload, ...extensions });
}

/** The payment proof on an EVM network: the authorization and its signature. */
export function evmPayload(authorization: Authorization, signature: string): Record<string, unknown> {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  return {
    signature,
    // Numbers as decimal text, like the published clients.
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

/** The payment proof on Solana: the transaction in base64, without the fee payer's signature. */
export function solanaPayload(transaction: string): Record<string, unknown> {
  return { transaction };
}
