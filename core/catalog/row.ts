import type { z } from 'zod';
import type { ErrorCode } from '../errors.ts';

/** Names in `path`, each described once by whoever documents them. */
export type PathParameter = 'platform' | 'txn_id' | 'slug' | 'id';

export type CatalogRow = {
  method: 'get' | 'post';
  /** With `{parameters}`. */
  path: string;
  group: 'Payments' | 'Receipts' | 'Claims' | 'Health';
  summary: string;
  description: string;
  parameters: readonly PathParameter[];
  request: { in: 'body' | 'query'; schema: z.ZodType; example: Record<string, unknown> } | null;
  /** Null: what is answered is no JSON, but the one of `otherTypes`. */
  success: z.ZodType | null;
  /** Its status where that is not 200. */
  successStatus?: 201;
  /** Answers 402 with a price until a proof comes. */
  isPaid: boolean;
  /** Answers 402 to a proof that was never presented; nothing is sold. */
  takesProof: boolean;
  errors: readonly ErrorCode[];
  /** 503 has the shape of the 200; it is no error of the caller's. Its description says what it means. */
  unavailable: z.ZodType | null;
  /** What a GET can also be asked for, by its Accept header. */
  otherTypes: readonly string[];
};

/** What the server around every route may say. */
export const TRANSPORT = [
  'not_found',
  'method_not_allowed',
  'rate_limited',
  'headers_too_large',
  'internal_error',
] as const;
export const BODY = ['validation_failed', 'invalid_json', 'body_too_large', 'unsupported_media_type'] as const;

export const PLAIN = { unavailable: null, otherTypes: [] } as const;
export const FREE = { isPaid: false, takesProof: false } as const;
