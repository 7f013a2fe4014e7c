import { REFUSAL_TEXTS, type ProofRefusal } from '../refusals.ts';
import type { MPP_METHOD } from './challenge.ts';
import { toBase64UrlJson } from './encoding.ts';

export type PaymentReceipt = {
  status: 'success';
  method: typeof MPP_METHOD;
  timestamp: string;
  reference: string;
  challengeId: string;
};

/** The value of `Payment-Receipt`. */
export function toReceiptHeader(receipt: PaymentReceipt): string {
  return toBase64UrlJson(receipt);
}

const PROBLEMS = 'https://paymentauth.org/problems/';

const REFUSED: Partial<Record<ProofRefusal, string>> = {
  payment_required: 'payment-required',
  invalid_payload: 'malformed-credential',
  invalid_network: 'invalid-challenge',
  invalid_challenge: 'invalid-challenge',
  challenge_expired: 'payment-expired',
  payment_expired: 'payment-expired',
};

const TITLES: Readonly<Record<string, string>> = {
  'payment-required': 'Payment Required',
  'malformed-credential': 'Malformed Credential',
  'invalid-challenge': 'Invalid Challenge',
  'payment-expired': 'Payment Expired',
  'verification-failed': 'Verification Failed',
};

/** Members of RFC 9457 for a refused credential, beside ours. */
export function refusalProblem(reason: ProofRefusal): Record<string, unknown> {
  const name = REFUSED[reason] ?? 'verification-failed';
  return { type: PROBLEMS + name, title: TITLES[name], status: 402, detail: REFUSAL_TEXTS[reason] };
}

/** The same for every other answer that is not a 200. */
export function errorProblem(status: number, title: string): Record<string, unknown> {
  const name = status === 400 ? 'bad-request' : status >= 500 ? 'internal-payment-error' : null;
  return { type: name === null ? 'about:blank' : PROBLEMS + name, title, status };
}
