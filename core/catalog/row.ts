import type { z } from 'zod';
import type { Purchase, PlatformOffer } from '../bodies/order.ts';
import type { ErrorCode } from '../errors.ts';
import type { PaidKind } from '../payments/operations.ts';
import type { Platform } from '../platforms/platforms.ts';

/** The platform of the examples: RFC 2606 reserves addresses; on others every possible name may be a person's. */
export const EXAMPLE_PLATFORM: Platform = 'email';

export type Json = Record<string, unknown>;

/** Names in `path`; the documentation describes each once. */
export type PathParameter = 'platform' | 'txn_id' | 'slug' | 'id' | 'order_id';

/** Reads a body or arguments into lines. Throws AppError (400) that names the fault. */
export type ReadOrder = (body: unknown, offer: PlatformOffer, platform: Platform | null) => Purchase;

/** A paid operation: its name in the request hash, and how its body is read. */
export type PaidByBody = { kind: Exclude<PaidKind, 'confirm-distribution'>; read: ReadOrder };

/** Includes the confirmation of a distribution: its purchase is stored already, and the request only names it. */
export type Paid = PaidByBody | { kind: 'confirm-distribution' };

/** The operation as an MCP tool. With `{platform}` in its name there is a tool for each offered platform. */
export type ToolForm = {
  name: string;
  title: string;
  /** A model decides by it; `{title}` and `{receiver}` are the platform's. */
  description: string;
  arguments: z.ZodType;
  /** Absent: that of the row's request. */
  example?: Json;
  /** Null: the arguments are the body. */
  paid: Paid | null;
};

/** The operation as a skill of A2A; `{platform}` as for tools. */
export type SkillForm = { name: string; title: string; description: string; tags: readonly string[] };

/** The groups of operations: who reads about them, and what they are for. */
export const GROUPS = {
  Payments: { reader: 'Who pays', text: 'Send USDC to people by the names they go by, and ask what became of it.' },
  Events: { reader: 'Who pays', text: 'Be told what becomes of your payments, instead of asking.' },
  Receipts: { reader: 'Who pays', text: 'What was paid and where it is, for people and programs.' },
  Rewards: { reader: 'Who pays', text: 'Share out USDC among those who engaged with a post.' },
  Claims: { reader: 'Who collects', text: 'Prove that a name is yours, and say where its money goes.' },
  Health: { reader: 'Who operates', text: 'Whether this installation serves, and holds what it owes.' },
} as const satisfies Record<string, { reader: string; text: string }>;

export type CatalogRow = {
  method: 'get' | 'post';
  /** With `{parameters}`. */
  path: string;
  group: keyof typeof GROUPS;
  summary: string;
  description: string;
  parameters: readonly PathParameter[];
  /** The offered platforms that its path may name. Absent: all of them. */
  platforms?: readonly Platform[];
  request: { in: 'body' | 'query'; schema: z.ZodType; example: Json } | null;
  /** Null: the answer is no JSON but the one type in `otherTypes`. */
  success: z.ZodType | null;
  /** Null: as `success`. */
  answerExample: Json | null;
  /** The status of a success. Absent: 200. */
  successStatus?: 201;
  /** Answers 402 with a price until it is paid. Null: free. */
  paid: Paid | null;
  tool: ToolForm | null;
  skill: SkillForm | null;
  /** Sells nothing, but answers 402 to a payment proof that was never presented. */
  takesProof: boolean;
  errors: readonly ErrorCode[];
  /** 503 has the shape of the 200, since the caller made no error. Its description says what it means. */
  unavailable: { schema: z.ZodType; example: Json } | null;
  /** Further content types of a GET, chosen by its Accept header. */
  otherTypes: readonly string[];
};

/** A row with the name of its operation. */
export type NamedRow = CatalogRow & { id: string };

/** Errors that the server around every route may answer. */
export const TRANSPORT = [
  'not_found',
  'method_not_allowed',
  'rate_limited',
  'headers_too_large',
  'wrong_host',
  'internal_error',
] as const;
export const BODY = ['validation_failed', 'invalid_json', 'body_too_large', 'unsupported_media_type'] as const;

export const PLAIN = { unavailable: null, otherTypes: [] } as const;
export const FREE = { paid: null, tool: null, skill: null, takesProof: false } as const;
