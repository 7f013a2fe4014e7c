/** Methods about transactions that landed. */
import { z } from 'zod';
import type { Blocks } from '../chain/blocks.ts';
import type { Chain } from '../chain/chain.ts';
import { commitmentAt } from '../chain/commitment.ts';
import type { Landed } from '../chain/landed.ts';
import { atLeastConfirmed, blockFor, inContext } from '../rpc/context.ts';
import { type Methods, defineMethod } from '../rpc/method.ts';
import { addressSchema, commitmentSchema, contextFields, signatureSchema } from '../rpc/params.ts';
import { toTransactionJson, transactionViewFields } from '../rpc/transaction-json.ts';

const SIGNATURES_MAX = 256;
const LISTED_MAX = 1_000;
/** A node has the results of this many blocks at hand; older ones need an explicit search. */
const RECENT_BLOCKS = 300;

const transactionConfigSchema = z
  .strictObject({ ...transactionViewFields, commitment: commitmentSchema.optional() })
  .nullish();

const listConfigSchema = z
  .strictObject({
    ...contextFields,
    limit: z.int().min(1).max(LISTED_MAX).optional(),
    before: signatureSchema.nullish(),
    until: signatureSchema.nullish(),
  })
  .nullish();

export function historyMethods({ blocks, history }: Chain): Methods {
  return {
    getTransaction: defineMethod(z.tuple([signatureSchema, transactionConfigSchema]), ([signature, config]) => {
      const newest = blocks.at(atLeastConfirmed(config?.commitment));
      const landed = history.get(signature);
      if (!landed || landed.height > newest.height) return null;
      return { slot: landed.slot, blockTime: landed.unixSeconds, ...toTransactionJson(landed, config ?? {}) };
    }),
    getSignatureStatuses: defineMethod(
      z.tuple([
        z.array(signatureSchema).max(SIGNATURES_MAX),
        z.strictObject({ searchTransactionHistory: z.boolean().optional() }).nullish(),
      ]),
      ([signatures, config]) => {
        const newest = blocks.last();
        const oldest = config?.searchTransactionHistory ? 0 : newest.height - RECENT_BLOCKS;
        const statuses = signatures.map((signature) => {
          const landed = history.get(signature);
          return landed && landed.height >= oldest ? toStatus(blocks, landed) : null;
        });
        return inContext(newest, statuses);
      },
    ),
    getSignaturesForAddress: defineMethod(z.tuple([addressSchema, listConfigSchema]), ([address, config]) => {
      atLeastConfirmed(config?.commitment);
      const newest = blockFor(blocks, config);
      const seen = history.ofAddress(address).filter(({ height }) => height <= newest.height);
      const end = config?.before ? placeOf(config.before, seen) : seen.length;
      // One to start before that is not there leaves nothing to list; one to stop at may be missing.
      const wanted = seen.slice(config?.until ? placeOf(config.until, seen) + 1 : 0, Math.max(end, 0)).toReversed();
      return wanted.slice(0, config?.limit ?? LISTED_MAX).map((landed) => toListed(blocks, landed));
    }),
  };
}

function placeOf(signature: string, list: readonly Landed[]): number {
  return list.findIndex((landed) => landed.signature === signature);
}

export function toStatus(blocks: Blocks, { slot, height, meta }: Landed) {
  const age = blocks.last().height - height;
  const confirmationStatus = commitmentAt(age);
  return {
    slot,
    confirmations: confirmationStatus === 'finalized' ? null : age,
    err: meta.err,
    status: meta.status,
    confirmationStatus,
  };
}

function toListed(blocks: Blocks, landed: Landed) {
  const { signature, slot, unixSeconds, memo, meta } = landed;
  const { confirmationStatus } = toStatus(blocks, landed);
  return { signature, slot, err: meta.err, memo, blockTime: unixSeconds, confirmationStatus };
}
