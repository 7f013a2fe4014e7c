import type { NetworkTerms } from '../x402.ts';
import { fromBase64UrlJson, toBase64UrlJson } from './encoding.ts';

/**
 * Wire shapes of the Machine Payments Protocol: a third form of the same proof, an EIP-3009 authorization whose nonce is
 * the hash of a challenge. Drafts: draft-httpauth-payment-02, draft-evm-charge-01 (`credentialTypes: ["authorization"]`),
 * draft-payment-transport-mcp-00. Implemented against mppx 0.11.0.
 */
export const MPP_METHOD = 'evm';
export const MPP_INTENT = 'charge';
/** Where a caller's `Authorization` holds something else, its challenge selects this field. */
export const PAYMENT_AUTHORIZATION = 'Payment-Authorization';

/** Below the draft's five minutes, and below what an authorization may live, whichever process reads the clock. */
export const CHALLENGE_SECONDS = 240;
const USDC_DECIMALS = 6;

/** As it stands in `WWW-Authenticate`; a credential repeats it. `request` and `opaque` are base64url of canonical JSON. */
export type PaymentChallenge = {
  id: string;
  realm: string;
  method: string;
  intent: string;
  request: string;
  expires?: string | undefined;
  digest?: string | undefined;
  opaque?: string | undefined;
  header?: string | undefined;
  description?: string | undefined;
};

export type ChallengeTerms = {
  terms: Pick<NetworkTerms, 'asset' | 'payTo'>;
  chainId: number;
  amount: bigint;
  realm: string;
  description: string;
  requestHash: string;
  /** Random, so that two purchases of one payer in the same second are two. */
  salt: string;
  nowMs: number;
  /** Whether the caller's `Authorization` is taken by another credential. */
  isBesideAnother: boolean;
};

/** A challenge without its id, which is made from all the rest. */
export function toChallenge(given: ChallengeTerms): Omit<PaymentChallenge, 'id'> {
  const request = {
    amount: given.amount.toString(),
    currency: given.terms.asset,
    recipient: given.terms.payTo,
    methodDetails: { chainId: given.chainId, credentialTypes: ['authorization'], decimals: USDC_DECIMALS },
  };
  return {
    realm: given.realm,
    method: MPP_METHOD,
    intent: MPP_INTENT,
    request: toBase64UrlJson(request),
    expires: new Date(given.nowMs + CHALLENGE_SECONDS * 1_000).toISOString(),
    opaque: toBase64UrlJson({ requestHash: given.requestHash, salt: given.salt }),
    description: given.description,
    ...(given.isBesideAnother ? { header: PAYMENT_AUTHORIZATION } : {}),
  };
}

/** What the id is made of: the draft's slots. The description is not among them. */
export function bindingOf(challenge: Omit<PaymentChallenge, 'id'>): string {
  const { realm, method, intent, request, expires = '', digest = '', opaque = '', header } = challenge;
  const slots = [realm, method, intent, request, expires, digest, opaque];
  return (header === undefined ? slots : [...slots, header]).join('|');
}

/** The value of `WWW-Authenticate`. */
export function toChallengeHeader(challenge: PaymentChallenge): string {
  const { id, realm, method, intent, request, expires, opaque, header, description } = challenge;
  const parameters = { id, realm, method, intent, request, expires, header, opaque, description };
  const written = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`],
  );
  return `Payment ${written.join(', ')}`;
}

/** In JSON-RPC the request is a plain object. */
export function toNativeChallenge(challenge: PaymentChallenge): Record<string, unknown> {
  return { ...challenge, request: fromBase64UrlJson(challenge.request) };
}
