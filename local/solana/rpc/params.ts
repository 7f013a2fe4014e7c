/** Parameters that several methods share. Unknown fields are refused, where a real node ignores a misspelt one. */
import { type Address, isAddress, isSignature } from '@solana/kit';
import { z } from 'zod';
import { COMMITMENTS } from '../chain/commitment.ts';
import { fromBase58 } from '../wire/encoding.ts';

export const commitmentSchema = z.enum(COMMITMENTS);

export const addressSchema = z.custom<Address>(
  (value) => typeof value === 'string' && isAddress(value),
  'an address is 32 bytes in base58',
);

export const signatureSchema = z.string().refine((value) => isSignature(value), 'a signature is 64 bytes in base58');

export const blockhashSchema = z.string().refine((value) => isAddress(value), 'a blockhash is 32 bytes in base58');

export const slotSchema = z.int().nonnegative();

/** What nearly every method takes: how sure the answer must be, and how new at least. */
export const contextFields = { commitment: commitmentSchema.optional(), minContextSlot: slotSchema.optional() };
export const contextSchema = z.strictObject(contextFields).nullish();

export const dataSliceSchema = z.strictObject({ offset: z.int().nonnegative(), length: z.int().nonnegative() });

/** Of what accounts hold. Compressed forms are refused. */
export const accountEncodingSchema = z.enum(['base58', 'base64', 'jsonParsed']);

export const accountFields = {
  ...contextFields,
  encoding: accountEncodingSchema.optional(),
  dataSlice: dataSliceSchema.nullish(),
};

/** Bytes as text, once it is known in which encoding: null when it is not that. */
export function decodeText(text: string, encoding: 'base58' | 'base64'): Uint8Array | null {
  if (encoding === 'base64')
    return z.base64().safeParse(text).success ? new Uint8Array(Buffer.from(text, 'base64')) : null;
  try {
    return fromBase58(text);
  } catch {
    return null;
  }
}
