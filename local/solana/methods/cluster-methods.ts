/** Methods about the network as a whole: slots, heights, blockhashes, fees. */
import { z } from 'zod';
import { GENESIS_HASH } from '../ground/addresses.ts';
import { createByteReader } from '../wire/byte-reader.ts';
import { BLOCKHASH_BLOCKS } from '../chain/blocks.ts';
import type { Chain } from '../chain/chain.ts';
import { feeOf } from '../wire/fees.ts';
import { decodeMessage } from '../wire/message-decoder.ts';
import { API_VERSION, blockFor, inContext } from '../rpc/context.ts';
import { type Methods, defineMethod, noParams } from '../rpc/method.ts';
import { addressSchema, blockhashSchema, contextSchema, decodeText } from '../rpc/params.ts';
import { invalidParams } from '../rpc/rpc-error.ts';

const SLOTS_PER_EPOCH = 432_000;
const FEE_SAMPLES = 150;
const FEE_ADDRESSES_MAX = 128;
const DATA_BYTES_MAX = 10 * 1024 * 1024;

const contextOnly = z.tuple([contextSchema]);

export function clusterMethods(chain: Chain): Methods {
  const { blocks, history } = chain;
  return {
    getHealth: defineMethod(noParams, () => 'ok'),
    getVersion: defineMethod(noParams, () => ({ 'solana-core': API_VERSION, 'feature-set': 0 })),
    getGenesisHash: defineMethod(noParams, () => GENESIS_HASH),
    getSlot: defineMethod(contextOnly, ([config]) => blockFor(blocks, config).slot),
    getBlockHeight: defineMethod(contextOnly, ([config]) => blockFor(blocks, config).height),
    getTransactionCount: defineMethod(contextOnly, () => history.count()),
    getEpochInfo: defineMethod(contextOnly, ([config]) => {
      const { slot, height } = blockFor(blocks, config);
      return {
        absoluteSlot: slot,
        blockHeight: height,
        epoch: Math.floor(slot / SLOTS_PER_EPOCH),
        slotIndex: slot % SLOTS_PER_EPOCH,
        slotsInEpoch: SLOTS_PER_EPOCH,
        transactionCount: history.count(),
      };
    }),
    getLatestBlockhash: defineMethod(contextOnly, ([config]) => {
      const block = blockFor(blocks, config);
      return inContext(block, { blockhash: block.blockhash, lastValidBlockHeight: block.height + BLOCKHASH_BLOCKS });
    }),
    isBlockhashValid: defineMethod(z.tuple([blockhashSchema, contextSchema]), ([blockhash, config]) => {
      const block = blockFor(blocks, config);
      return inContext(block, blocks.isUsable(blockhash, block));
    }),
    getMinimumBalanceForRentExemption: defineMethod(
      z.tuple([z.int().nonnegative().max(DATA_BYTES_MAX), contextSchema]),
      ([bytes]) => Number(chain.rentFor(bytes)),
    ),
    getFeeForMessage: defineMethod(z.tuple([z.string(), contextSchema]), ([text, config]) => {
      const block = blockFor(blocks, config);
      const message = readMessage(text);
      return inContext(block, blocks.isUsable(message.recentBlockhash, block) ? Number(feeOf(message)) : null);
    }),
    getRecentPrioritizationFees: defineMethod(z.tuple([z.array(addressSchema).max(FEE_ADDRESSES_MAX).nullish()]), () =>
      blocks
        .all()
        .slice(-FEE_SAMPLES)
        .map(({ slot }) => ({ slot, prioritizationFee: 0 })),
    ),
  };
}

function readMessage(text: string) {
  const bytes = decodeText(text, 'base64');
  if (!bytes) throw invalidParams('invalid base64 encoding');
  try {
    const reader = createByteReader(bytes);
    const message = decodeMessage(reader);
    if (reader.left() > 0) throw new Error(`${reader.left()} bytes follow the message`);
    return message;
  } catch (error) {
    throw invalidParams(`failed to deserialize message: ${error instanceof Error ? error.message : 'no message'}`);
  }
}
