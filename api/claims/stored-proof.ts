import { z } from 'zod';
import type { ClaimRow } from '../../db/claims/find.ts';

/** What a claim keeps for its proof, by method. It holds secrets: nothing of it is logged or answered but `steps`. */
const storedProof = z.discriminatedUnion('method', [
  z.object({
    method: z.literal('oauth'),
    url: z.string(),
    state: z.string(),
    codeVerifier: z.string(),
    /** Why the last sign-in proved nothing: the page that the browser returns to says so. */
    refusal: z.string().nullable(),
  }),
  z.object({
    method: z.literal('siwf'),
    channel: z.object({
      channelToken: z.string(),
      url: z.string(),
      nonce: z.string(),
      uri: z.string(),
      handle: z.string(),
      expiresAtMs: z.number(),
    }),
    /** The relay answers once, so the answer is kept until it is judged. */
    signed: z.object({ message: z.string(), signature: z.templateLiteral(['0x', z.string()]) }).nullable(),
  }),
  z.object({ method: z.literal('email'), hash: z.string(), codeExpiresAtMs: z.number() }),
  z.object({ method: z.literal('domain') }),
  z.object({ method: z.literal('chat') }),
]);

export type StoredProof = z.infer<typeof storedProof>;
type Method = StoredProof['method'];

/** Null where it was taken and is not given back yet. */
export function readProof({ id, proof }: Pick<ClaimRow, 'id' | 'proof'>): StoredProof | null {
  if (proof === null) return null;
  const parsed = storedProof.safeParse(proof);
  // The parser's own text would quote the stored secrets.
  if (!parsed.success) throw new Error(`expected the proof of claim ${id} in a form of ours`);
  return parsed.data;
}

/** The same where only one method can be meant. */
export function readProofOf<const M extends Method>(
  claim: Pick<ClaimRow, 'id' | 'proof'>,
  method: M,
): Extract<StoredProof, { method: M }> | null {
  const proof = readProof(claim);
  if (proof === null) return null;
  if (!isOf(proof, method))
    throw new Error(`expected a proof by ${method} with claim ${claim.id}, found ${proof.method}`);
  return proof;
}

function isOf<const M extends Method>(proof: StoredProof, method: M): proof is Extract<StoredProof, { method: M }> {
  return proof.method === method;
}
