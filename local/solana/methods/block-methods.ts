/** Methods about single blocks. */
import { z } from 'zod';
import type { Block } from '../chain/block.ts';
import type { Chain } from '../chain/chain.ts';
import type { Commitment } from '../chain/commitment.ts';
import { atLeastConfirmed } from '../rpc/context.ts';
import { type Methods, defineMethod, noParams } from '../rpc/method.ts';
import { commitmentSchema, slotSchema } from '../rpc/params.ts';
import { blockCleanedUp, blockNotAvailable, invalidParams, slotSkipped } from '../rpc/rpc-error.ts';
import { toAccountsJson, toTransactionJson, transactionViewFields } from '../rpc/transaction-json.ts';

const BLOCKS_MAX = 500_000;

const blockConfigSchema = z.strictObject({
  ...transactionViewFields,
  commitment: commitmentSchema.optional(),
  transactionDetails: z.enum(['full', 'accounts', 'signatures', 'none']).optional(),
  rewards: z.boolean().nullish(),
});
type BlockConfig = z.output<typeof blockConfigSchema>;

const commitmentOnly = z.strictObject({ commitment: commitmentSchema.optional() }).nullish();

export function blockMethods(chain: Chain): Methods {
  const { blocks } = chain;

  /** Throws the reason when there is no such block, or none that is this sure. */
  function blockIn(slot: number, commitment: Commitment | undefined): Block {
    const newest = blocks.at(atLeastConfirmed(commitment));
    if (slot > newest.slot) throw blockNotAvailable(slot);
    if (slot < blocks.first().slot) throw blockCleanedUp(slot, blocks.first().slot);
    const block = blocks.inSlot(slot);
    if (!block) throw slotSkipped(slot);
    return block;
  }

  return {
    getBlock: defineMethod(z.tuple([slotSchema, blockConfigSchema.nullish()]), ([slot, config]) =>
      toBlockJson(chain, blockIn(slot, config?.commitment), config ?? {}),
    ),
    getBlocks: defineMethod(
      z.tuple([slotSchema, z.union([slotSchema, commitmentOnly]), commitmentOnly]),
      ([start, end, config]) => {
        const [last, commitment] =
          typeof end === 'number' ? [end, config?.commitment] : [start + BLOCKS_MAX, (config ?? end)?.commitment];
        const newest = blocks.at(atLeastConfirmed(commitment)).slot;
        if (last - start > BLOCKS_MAX) throw invalidParams(`Slot range too large; max ${BLOCKS_MAX}`);
        return slotsBetween(chain, start, Math.min(last, newest));
      },
    ),
    getBlocksWithLimit: defineMethod(
      z.tuple([slotSchema, z.int().nonnegative().max(BLOCKS_MAX), commitmentOnly]),
      ([start, limit, config]) =>
        slotsBetween(chain, start, blocks.at(atLeastConfirmed(config?.commitment)).slot).slice(0, limit),
    ),
    getBlockTime: defineMethod(z.tuple([slotSchema]), ([slot]) => blockIn(slot, 'confirmed').unixSeconds),
    getFirstAvailableBlock: defineMethod(noParams, () => blocks.first().slot),
    minimumLedgerSlot: defineMethod(noParams, () => blocks.first().slot),
  };
}

function slotsBetween({ blocks }: Chain, first: number, last: number): number[] {
  return blocks
    .all()
    .map(({ slot }) => slot)
    .filter((slot) => slot >= first && slot <= last);
}

function toBlockJson(chain: Chain, block: Block, config: BlockConfig) {
  const { blockhash, previousBlockhash, parentSlot, height, unixSeconds } = block;
  return {
    blockhash,
    previousBlockhash,
    parentSlot,
    blockHeight: height,
    blockTime: unixSeconds,
    ...toContents(chain, block, config),
    ...(config.rewards === false ? {} : { rewards: [] }),
  };
}

function toContents({ history }: Chain, { signatures }: Block, config: BlockConfig) {
  const { transactionDetails = 'full' } = config;
  if (transactionDetails === 'none') return {};
  if (transactionDetails === 'signatures') return { signatures };
  const toJson = transactionDetails === 'full' ? toTransactionJson : toAccountsJson;
  const landed = signatures.flatMap((signature) => history.get(signature) ?? []);
  return { transactions: landed.map((transaction) => toJson(transaction, config)) };
}
