import { z } from 'zod';
import { MPP_INTENT, MPP_METHOD, PAYMENT_AUTHORIZATION, type PaymentChallenge } from './challenge.ts';
import { fromBase64UrlJson, toBase64Url, toBase64UrlJson } from './encoding.ts';

const challengeSchema = z.object({
  id: z.string().min(1).max(200),
  realm: z.string().max(300),
  method: z.string(),
  intent: z.string(),
  request: z.string().max(4_000),
  expires: z.string().max(40).optional(),
  digest: z.string().max(200).optional(),
  opaque: z.string().max(1_000).optional(),
  header: z.string().max(40).optional(),
  description: z.string().max(1_000).optional(),
});

const credentialSchema = z.object({
  challenge: challengeSchema,
  payload: z.object({
    type: z.literal('authorization'),
    signature: z.string(),
    from: z.string(),
    to: z.string(),
    value: z.string(),
    validAfter: z.string(),
    validBefore: z.string(),
    nonce: z.string(),
  }),
});

const requestSchema = z.object({ methodDetails: z.object({ chainId: z.int().positive() }) });
const opaqueSchema = z.object({ requestHash: z.string() });

/** A credential as it was presented; nothing about it is proven yet. */
export type PaymentCredential = {
  challenge: PaymentChallenge;
  chainId: number;
  /** The request that it was issued for; null: it does not say. */
  requestHash: string | null;
  /** In the form of x402's exact scheme. */
  payload: { signature: string; authorization: Record<string, string> };
  /** The field that carried it; null where no field does, as in MCP. */
  field: string | null;
};

const FIELD_MARK = `${PAYMENT_AUTHORIZATION}: `;
const SCHEME = /(?:^|,\s*)Payment +([A-Za-z0-9_-]+)=*\s*(?:,|$)/i;

/** The credential in one of the two fields, as other proofs are texts; null where there is none. */
export function credentialTextIn(authorization: string | null, beside: string | null): string | null {
  const own = SCHEME.exec(beside ?? '')?.[1];
  if (own !== undefined) return `${FIELD_MARK}Payment ${own}`;
  const usual = SCHEME.exec(authorization ?? '')?.[1];
  return usual === undefined ? null : `Authorization: Payment ${usual}`;
}

/** The same for a credential of MCP, whose request is a plain object. */
export function toCredentialText(native: Record<string, unknown>): string {
  const { challenge } = native;
  if (!isRecord(challenge)) return 'Payment ';
  const request = isRecord(challenge['request']) ? toBase64UrlJson(challenge['request']) : challenge['request'];
  return `Payment ${toBase64Url(JSON.stringify({ ...native, challenge: { ...challenge, request } }))}`;
}

export function isCredentialText(proof: string | null): proof is string {
  return proof !== null && /^(?:[\w-]+: )?Payment /.test(proof);
}

/** Null where it is not a credential of ours by its form. */
export function readCredential(text: string): PaymentCredential | null {
  const [, field = null, encoded = ''] = /^(?:([\w-]+): )?Payment (.*)$/.exec(text) ?? [];
  const parsed = credentialSchema.safeParse(fromBase64UrlJson(encoded));
  if (!parsed.success) return null;
  const { challenge, payload } = parsed.data;
  if (challenge.method !== MPP_METHOD || challenge.intent !== MPP_INTENT) return null;
  const request = requestSchema.safeParse(fromBase64UrlJson(challenge.request));
  if (!request.success) return null;
  const opaque = opaqueSchema.safeParse(fromBase64UrlJson(challenge.opaque ?? ''));
  const { signature, type: _type, ...authorization } = payload;
  return {
    challenge,
    chainId: request.data.methodDetails.chainId,
    requestHash: opaque.success ? opaque.data.requestHash : null,
    payload: { signature, authorization },
    field,
  };
}

/** Whether it came in the field that its challenge selected. */
export function isInItsField({ challenge, field }: Pick<PaymentCredential, 'challenge' | 'field'>): boolean {
  return field === null || field === (challenge.header ?? 'Authorization');
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
