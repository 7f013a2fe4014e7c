import { z } from 'zod';
import { fromBase58 } from './base58.ts';
import { SIGNATURE_BYTES } from './programs.ts';

/** Shapes of a Solana node's answers (solana.com, "Solana RPC Methods"), and parameters that many methods share. */

/** How certain an answer must be. Every question names it, because nodes default to `finalized`. */
export type Commitment = 'processed' | 'confirmed' | 'finalized';

/** A slot, a height, a count: what JavaScript holds exactly. */
export const count = z.int().nonnegative();
export const address = z.string().refine((text) => fromBase58(text, 32) !== null);
export const signature = z.string().refine((text) => fromBase58(text, SIGNATURE_BYTES) !== null);

/** Null, or what went wrong, in a form that differs between errors. The field is required: silence is no success. */
export const transactionError = z.unknown();

/** The answer of a method that says which slot's view it is. */
export function inContext<T extends z.ZodType>(value: T) {
  return z.object({ context: z.object({ slot: count }), value });
}

const base64 = z.base64().transform((text) => new Uint8Array(Buffer.from(text, 'base64')));
/** Bytes, as they are answered when asked for in base64. */
export const encodedBytes = z.tuple([base64, z.literal('base64')]).transform(([bytes]) => bytes);

export const account = z.object({ owner: address, data: encodedBytes });
export type Account = z.infer<typeof account>;

const tokenBalance = z.object({
  accountIndex: count,
  mint: z.string(),
  owner: z.string().optional(),
  uiTokenAmount: z.object({ amount: z.string().regex(/^[0-9]{1,20}$/) }),
});
export type TokenBalance = z.infer<typeof tokenBalance>;

/** Balances above what a JSON number holds are not exact here, and any transaction may name an account with one. */
const lamports = z.tuple([z.number().refine(Number.isInteger)], z.number());

export const landedAnswer = z.object({
  slot: count,
  transaction: encodedBytes,
  meta: z.object({
    err: transactionError,
    preBalances: lamports,
    postBalances: lamports,
    preTokenBalances: z.array(tokenBalance),
    postTokenBalances: z.array(tokenBalance),
    loadedAddresses: z.object({ writable: z.array(address), readonly: z.array(address) }).nullish(),
  }),
});
export type LandedAnswer = z.infer<typeof landedAnswer>;
