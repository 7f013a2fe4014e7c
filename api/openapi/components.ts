import { ERRORS, type ErrorCode } from '../../core/errors.ts';
import type { CatalogRow, PathParameter } from '../../core/catalog/row.ts';
import { PLATFORMS, type Platform } from '../../core/platforms/platforms.ts';

/** A piece of the document: plain JSON. */
export type Json = Record<string, unknown>;

export const reference = (section: string, name: string): Json => ({ $ref: `#/components/${section}/${name}` });

const PROOF =
  'a signed x402 payment: base64 of its JSON object, of either generation. Never needed to see the price; repeat it to get the same answer again';

/** Headers that requests carry. The others that the proof may travel in are in the contract's order. */
export const HEADER_PARAMETERS = {
  PaymentSignature: {
    name: 'PAYMENT-SIGNATURE',
    in: 'header',
    required: false,
    description: PROOF,
    schema: { type: 'string' },
  },
  XPayment: {
    name: 'X-PAYMENT',
    in: 'header',
    required: false,
    description: 'the same, where the first generation puts it; looked at when PAYMENT-SIGNATURE is missing',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'your name for this request, per payer: the same key never pays twice',
    schema: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[\\x21-\\x7e]+$' },
  },
  EventEndpoint: {
    name: 'Event-Endpoint',
    in: 'header',
    required: false,
    description:
      'the id of an endpoint that the payer has registered (POST /events/endpoints): it is told what becomes of the payment. No part of the request',
    schema: { type: 'string', pattern: '^ep_[A-Za-z0-9_-]{22}$' },
  },
} as const satisfies Record<string, Json>;

/** The price is asked for without any. */
export const SECURITY_SCHEMES = {
  mpp: {
    type: 'http',
    scheme: 'Payment',
    description:
      'a credential of the Machine Payments Protocol (draft-httpauth-payment-02; method evm, intent charge, draft-evm-charge-01), for a challenge in WWW-Authenticate',
  },
} as const satisfies Record<string, Json>;

/** Headers that answers carry. */
export const ANSWER_HEADERS = {
  'X-Request-Id': 'names this request; say it when you ask for help',
  'PAYMENT-REQUIRED': 'base64 of the x402 version 2 requirements; x-payment-request says the same',
  'WWW-Authenticate': 'the same price as challenges of the Machine Payments Protocol, where this is switched on',
  'payment-error': 'why the proof was refused; missing when there was none',
  'PAYMENT-RESPONSE': 'base64 of the settlement: success, transaction, network, payer; also in X-PAYMENT-RESPONSE',
  'Payment-Receipt':
    'base64url of the settlement, for a caller who presented a credential of the Machine Payments Protocol',
  'Idempotent-Replayed': '"true" when this is the stored answer of an earlier request',
  'Retry-After': 'seconds to wait before the same request is worth repeating',
} as const;

type AnswerHeader = keyof typeof ANSWER_HEADERS;

export function headersNamed(names: readonly AnswerHeader[]): Json {
  return Object.fromEntries(names.map((name) => [name, reference('headers', name)]));
}

export const headerComponents = (): Json =>
  Object.fromEntries(
    Object.entries(ANSWER_HEADERS).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );

/** Aliases work wherever the name does, so they are in the list. */
export function pathParameter(name: PathParameter, platforms: readonly Platform[]): Json {
  const common = { name, in: 'path', required: true };
  switch (name) {
    case 'platform':
      return {
        ...common,
        description: platforms
          .map((platform) => `${platform}: ${PLATFORMS[platform].receiver}`)
          .join('; ')
          .concat('. Other names mean the same.'),
        schema: {
          type: 'string',
          enum: platforms.flatMap((platform) => [platform, ...PLATFORMS[platform].aliases]),
        },
      };
    case 'txn_id':
      return {
        ...common,
        description: 'transaction identifier',
        schema: { type: 'string', pattern: '^[1-9][0-9]{0,15}$' },
      };
    case 'id':
      return {
        ...common,
        description: 'from the answer that opened it',
        schema: { type: 'string', pattern: '^claim_[A-Za-z0-9_-]{22}$' },
      };
    case 'order_id':
      return {
        ...common,
        description: 'id of the distribution',
        schema: { type: 'string', pattern: '^dist_[A-Za-z0-9_-]{22}$' },
      };
    case 'slug':
      return {
        ...common,
        description: 'the end of the receipt’s address',
        schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{22}$' },
      };
  }
}

/** One response per status; each lists the words that `error` can be there. */
export function errorResponses(row: CatalogRow): Record<string, Json> {
  const statuses = [...new Set(row.errors.map((code) => ERRORS[code].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = row.errors.filter((code) => ERRORS[code].status === status);
      return [String(status), errorResponse(status, codes)];
    }),
  );
}

function errorResponse(status: number, codes: readonly ErrorCode[]): Json {
  const isRetryable = codes.some((code) => ERRORS[code].retryable);
  const narrowed = { properties: { code: { const: status }, error: { enum: codes } } };
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].detail}`).join('\n\n'),
    headers: headersNamed(isRetryable ? ['X-Request-Id', 'Retry-After'] : ['X-Request-Id']),
    content: {
      'application/json': {
        schema: { allOf: [reference('schemas', 'Error'), narrowed] },
        examples: Object.fromEntries(codes.map((code) => [code, reference('examples', code)])),
      },
    },
  };
}
