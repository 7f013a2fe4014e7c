import { z } from 'zod';
import type { Network } from '../networks.ts';
import { parseUnambiguous } from '../http/repeated-key.ts';
import type { ProofRefusal } from './refusals.ts';

/**
 * Wire shapes of both x402 generations for the `exact` scheme.
 * Source: x402 specification, v1 and v2, and EIP-3009.
 */

/** The terms of one network, independent of the generation. */
export type NetworkTerms = {
  network: Network;
  v1Name: string;
  caip2: string;
  /** Other names of the network that clients write. */
  aliases: readonly string[];
  asset: string;
  payTo: string;
  /** `feePayer`: on Solana, the account that pays the transaction's fee. */
  extra: { name: string; version: string; feePayer?: string };
};

/** How long a challenge is valid; stock clients sign authorizations of exactly this length. */
export const MAX_TIMEOUT_SECONDS = 60;
/** An authorization that can land later is refused, because its outcome would stay open too long. */
export const VALIDITY_MAX_SECONDS = 300;

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
const decimal = z.string().regex(/^(0|[1-9][0-9]{0,77})$/);
/** Published clients send times as decimal text; numbers are read as well. */
const seconds = z
  .union([decimal, z.int().nonnegative()])
  .transform(Number)
  .refine((value) => Number.isSafeInteger(value));

export const exactEvmPayloadSchema = z.object({
  // A contract's signature may be long, but a header has at most 16 KiB.
  signature: z.string().regex(/^0x(?:[0-9a-fA-F]{2}){1,6000}$/),
  authorization: z.object({
    from: address,
    to: address,
    value: decimal,
    validAfter: seconds,
    validBefore: seconds,
    nonce: z.string().regex(/^0x[0-9a-fA-F]{64}$/),
  }),
});
export type ExactEvmPayload = z.infer<typeof exactEvmPayloadSchema>;

const payloadV1 = z.object({
  x402Version: z.literal(1),
  scheme: z.string(),
  network: z.string(),
  payload: z.record(z.string(), z.unknown()),
});

const payloadV2 = z.object({
  x402Version: z.literal(2),
  accepted: z.object({
    scheme: z.string(),
    network: z.string(),
    amount: z.string(),
    asset: z.string(),
    payTo: z.string(),
  }),
  payload: z.record(z.string(), z.unknown()),
  extensions: z.record(z.string(), z.unknown()).nullish(),
});

export const paymentPayloadSchema = z.discriminatedUnion('x402Version', [payloadV1, payloadV2]);
export type PaymentPayload = z.infer<typeof paymentPayloadSchema>;

export type ChallengeInput = {
  terms: readonly NetworkTerms[];
  /** Sum and fee in micro-USDC. */
  total: bigint;
  /** What is added on a network where the payment pays for its own cost. */
  costs: ReadonlyMap<Network, bigint>;
  description: string;
  resource: string;
  reason: ProofRefusal;
  /** Lets a client bind its payment to the request. */
  requestHash: string;
  /** How it is called, for indexes. Absent where no index looks. */
  discovery?: { bazaar: Record<string, unknown>; outputSchema: Record<string, unknown> | null };
};

/** What is asked on a network. */
export const amountOn = (
  { total, costs }: Pick<ChallengeInput, 'total' | 'costs'>,
  { network }: Pick<NetworkTerms, 'network'>,
): bigint => total + (costs.get(network) ?? 0n);

/** As indexes name the service: printable ASCII, at most 32 characters. */
const SERVICE_NAME = 'pennypost';

/** `accepts` of the first generation: the body of a 402. */
export function acceptsV1(input: ChallengeInput): Record<string, unknown>[] {
  return input.terms.map((terms) => ({
    scheme: 'exact',
    network: terms.v1Name,
    maxAmountRequired: amountOn(input, terms).toString(),
    resource: input.resource,
    description: input.description,
    mimeType: 'application/json',
    ...(input.discovery?.outputSchema ? { outputSchema: input.discovery.outputSchema } : {}),
    payTo: terms.payTo,
    maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
    asset: terms.asset,
    extra: { ...terms.extra, requestHash: input.requestHash },
  }));
}

/** The object of the second generation, carried in the `PAYMENT-REQUIRED` header. */
export function paymentRequiredV2(input: ChallengeInput): Record<string, unknown> {
  return {
    x402Version: 2,
    error: input.reason,
    resource: {
      url: input.resource,
      description: input.description,
      mimeType: 'application/json',
      serviceName: SERVICE_NAME,
    },
    accepts: input.terms.map((terms) => ({
      scheme: 'exact',
      network: terms.caip2,
      amount: amountOn(input, terms).toString(),
      asset: terms.asset,
      payTo: terms.payTo,
      maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
      extra: { ...terms.extra, requestHash: input.requestHash },
    })),
    extensions: {
      [PAYMENT_IDENTIFIER]: PAYMENT_IDENTIFIER_OFFER,
      ...(input.discovery === undefined ? {} : { bazaar: input.discovery.bazaar }),
    },
  };
}

/**
 * The extension with which a client names its request inside the payment; equal to the `Idempotency-Key` header.
 * Source: x402 specification, extension `payment-identifier`.
 */
export const PAYMENT_IDENTIFIER = 'payment-identifier';

const PAYMENT_IDENTIFIER_OFFER = {
  info: { required: false },
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      required: { type: 'boolean' },
      id: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[a-zA-Z0-9_-]+$' },
    },
    required: ['required'],
  },
};

const paymentIdentifier = z.object({ info: z.object({ id: z.string().optional() }) });

/** The identifier in a payload's extensions, unchanged; null when there is none. */
export function readPaymentIdentifier(extensions: Record<string, unknown> | null | undefined): string | null {
  const parsed = paymentIdentifier.safeParse(extensions?.[PAYMENT_IDENTIFIER]);
  return parsed.success ? (parsed.data.info.id ?? null) : null;
}

// oxlint-disable-next-line no-control-regex -- exactly the characters of one byte.
const IS_ASCII = /^[\u0000-\u007f]*$/;

/** The second generation's header. What indexes are told is the longer part of it, and the same each time. */
export function challengeHeader(input: ChallengeInput): string {
  const { extensions, ...terms } = paymentRequiredV2(input);
  const key = input.discovery?.bazaar ?? PAYMENT_IDENTIFIER_OFFER;
  const text = EXTENSION_TEXTS.get(key) ?? JSON.stringify(extensions);
  EXTENSION_TEXTS.set(key, text);
  return toBase64(`${JSON.stringify(terms).slice(0, -1)},"extensions":${text}}`);
}

const EXTENSION_TEXTS = new WeakMap<object, string>();

/** Standard base64 of a JSON object, as both generations write their headers. */
export function toHeader(value: Record<string, unknown>): string {
  return toBase64(JSON.stringify(value));
}

/** Of UTF-8. */
export function toBase64(json: string): string {
  if (IS_ASCII.test(json)) return btoa(json);
  const bytes = new TextEncoder().encode(json);
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** The content of such a header; null where it is not base64 of JSON, or one object in it names a key twice. */
export function fromHeader(text: string): unknown {
  try {
    const binary = atob(text.trim());
    const bytes = new Uint8Array(binary.length);
    // Ten times as quick as a callback for each: every payment has a thousand of them, and reads them twice.
    for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
    return parseUnambiguous(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // Neither base64 nor UTF-8: the caller learns the same as from JSON that is none.
    return null;
  }
}

/** The generation of x402: each has its own names of networks. */
export type Generation = PaymentPayload['x402Version'];

/** The generation in which this proof is answered; the second where none is readable. */
export function generationOf(proof: string | null): Generation {
  return (proof === null ? null : readHeader(proof))?.x402Version ?? 2;
}

/** Null when the text is not base64 of a JSON object of either generation. */
export function readHeader(text: string): PaymentPayload | null {
  const parsed = paymentPayloadSchema.safeParse(fromHeader(text));
  return parsed.success ? parsed.data : null;
}
