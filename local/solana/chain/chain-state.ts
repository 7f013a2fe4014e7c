/** Everything that a chain knows, as a file holds it. */
import { type Address, address } from '@solana/kit';
import { z } from 'zod';
import type { Account } from '../accounts/account.ts';
import type { Block } from './block.ts';
import { toBase64 } from '../wire/encoding.ts';
import type { Landed, LandedMeta } from './landed.ts';

const FORMAT = 1;

const addressSchema = z.string().transform((text) => address(text));
const bytesSchema = z.base64().transform((text) => new Uint8Array(Buffer.from(text, 'base64')));

const accountSchema = z.object({
  address: addressSchema,
  lamports: z.string().transform(BigInt),
  owner: addressSchema,
  data: bytesSchema,
  executable: z.boolean(),
});

const blockSchema = z.object({
  slot: z.int(),
  height: z.int(),
  parentSlot: z.int(),
  blockhash: z.string(),
  previousBlockhash: z.string(),
  unixSeconds: z.int(),
  signatures: z.array(z.string()),
}) satisfies z.ZodType<Block>;

/** `formatState` wrote these and nothing calculates with them; to check each again would take seconds. */
const ourTextSchema = z.custom<Address>((value) => typeof value === 'string');

const landedSchema = z.object({
  signature: z.string(),
  messageHash: z.string(),
  slot: z.int(),
  height: z.int(),
  unixSeconds: z.int(),
  wire: bytesSchema,
  accounts: z.array(ourTextSchema),
  memo: z.string().nullable(),
  meta: z.custom<LandedMeta>((value) => typeof value === 'object' && value !== null),
});

const stateSchema = z.object({
  format: z.literal(FORMAT),
  instanceId: z.string(),
  faucetSeed: bytesSchema,
  savedAtMs: z.number(),
  isClean: z.boolean(),
  blocks: z.array(blockSchema).min(1),
  transactions: z.array(landedSchema),
  accounts: z.array(accountSchema),
});

export type ChainState = {
  instanceId: string;
  faucetSeed: Uint8Array;
  savedAtMs: number;
  /** Written when the chain was stopped: nothing can have landed after it. */
  isClean: boolean;
  blocks: readonly Block[];
  transactions: Landed[];
  accounts: (Account & { address: Address })[];
};

export function formatState(state: ChainState): string {
  const transactions = state.transactions.map((landed) => ({ ...landed, wire: toBase64(landed.wire) }));
  const accounts = state.accounts.map((account) => ({
    ...account,
    lamports: account.lamports.toString(),
    data: toBase64(account.data),
  }));
  const faucetSeed = toBase64(state.faucetSeed);
  return JSON.stringify({ format: FORMAT, ...state, faucetSeed, transactions, accounts });
}

/** Throws when the text is not a state, or one of another version of this program. */
export function parseState(text: string): ChainState {
  return stateSchema.parse(JSON.parse(text));
}
