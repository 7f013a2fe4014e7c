import type { Context } from 'hono';
import { toCredentialText } from '../../core/payments/mpp/credential.ts';
import { toHeader } from '../../core/payments/x402.ts';
import { askerOf, type Asker } from '../http/asker.ts';
import type { ApiEnv } from '../http/env.ts';
import type { ProxyTrust } from '../http/proxies.ts';
import { proofHeaderOf } from '../payments/proof-header.ts';
import { isRecord } from './record.ts';

/** Where clients put a payment, in the contract's order (section 6). */
const META_KEYS = ['x402/payment', 'x402Payment', 'x402.payment'] as const;

/** draft-payment-transport-mcp-00 */
const CREDENTIAL_KEY = 'org.paymentauth/credential';

/** The payment of a call as a header would carry it, from its `_meta` or from the HTTP headers; null without one. */
export function proofIn(meta: Readonly<Record<string, unknown>>, c: Context<ApiEnv>): string | null {
  for (const key of META_KEYS) {
    const value = meta[key];
    if (value !== undefined && value !== null && value !== '') return toProof(value);
  }
  const credential = meta[CREDENTIAL_KEY];
  if (credential === undefined || credential === null) return proofHeaderOf(c);
  return toCredentialText(isRecord(credential) ? credential : {});
}

/** Who will pay, for the price: as clients without headers of their own can say it, or as over HTTP. */
export function askerIn(
  meta: Readonly<Record<string, unknown>>,
  c: Context<ApiEnv>,
  isTrustedProxy: ProxyTrust,
): Asker {
  return askerOf(c, isTrustedProxy, meta['x402/payer']);
}

/** What is neither an object nor a text counts as an unreadable payment: its sender meant to pay. */
function toProof(value: unknown): string {
  if (typeof value === 'string') return value;
  return isRecord(value) ? toHeader(value) : '';
}
