import type { z } from 'zod';
import type { Purchase, PlatformOffer } from '../bodies/order.ts';
import type { ErrorCode } from '../errors.ts';
import type { PaidKind } from '../payments/operations.ts';
import type { Platform } from '../platforms/platforms.ts';

/** Where the examples pay: RFC 2606 keeps addresses for nobody; elsewhere every possible name may be a person's. */
export const EXAMPLE_PLATFORM: Platform = 'email';

/** Names in `path`, each described once by whoever documents them. */
export type PathParameter = 'platform' | 'txn_id' | 'slug' | 'id' | 'order_id';

/** Reads a body or arguments into lines. Throws AppError (400) naming what is wrong. */
export type ReadOrder = (body: unknown, offer: PlatformOffer, platform: Platform | null) => Purchase;

/** A paid operation: what it is called in the request hash, and what its body comes to. */
export type PaidByBody = { kind: Exclude<PaidKind, 'confirm-distribution'>; read: ReadOrder };

/** Or what it pays for was written down before, and the request only names it. */
export type Paid = PaidByBody | { kind: 'confirm-distribution' };

/** The operation as a tool of MCP. `{platform}` in its name: a tool for each platform that is offered there. */
export type ToolForm = {
  name: string;
  title: string;
  /** For a model that decides by it; `{title}` and `{receiver}` are the platform's. */
  description: string;
  arguments: z.ZodType;
  /** Null: arguments are what the body is. */
  paid: Paid | null;
};

/** The operation as a skill of A2A; `{platform}` as for tools. */
export type SkillForm = { name: string; title: string; description: string; tags: readonly string[] };

export type CatalogRow = {
  method: 'get' | 'post';
  /** With `{parameters}`. */
  path: string;
  group: 'Payments' | 'Receipts' | 'Rewards' | 'Claims' | 'Health';
  summary: string;
  description: string;
  parameters: readonly PathParameter[];
  /** Which of the offered ones its path may name, where that is not all of them. */
  platforms?: readonly Platform[];
  request: { in: 'body' | 'query'; schema: z.ZodType; example: Record<string, unknown> } | null;
  /** Null: what is answered is no JSON, but the one of `otherTypes`. */
  success: z.ZodType | null;
  /** Its status where that is not 200. */
  successStatus?: 201;
  /** Answers 402 with a price until a proof comes. Null: free. */
  paid: Paid | null;
  tool: ToolForm | null;
  skill: SkillForm | null;
  /** Answers 402 to a proof that was never presented; nothing is sold. */
  takesProof: boolean;
  errors: readonly ErrorCode[];
  /** 503 has the shape of the 200; it is no error of the caller's. Its description says what it means. */
  unavailable: z.ZodType | null;
  /** What a GET can also be asked for, by its Accept header. */
  otherTypes: readonly string[];
};

/** With the name of its operation. */
export type NamedRow = CatalogRow & { id: string };

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
export const FREE = { paid: null, tool: null, skill: null, takesProof: false } as const;
