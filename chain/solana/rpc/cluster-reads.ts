import { z } from 'zod';
import { ChainUnavailable } from '../../errors.ts';
import type { JsonRpc } from '../../json-rpc.ts';
import { TOKEN_ACCOUNT_BYTES } from '../messages/programs.ts';
import { address, type Commitment, count, inContext } from '../messages/rpc-shapes.ts';

/** A block with transactions of another version is refused. */
const VERSIONS = { maxSupportedTransactionVersion: 1 };

/** What we ask about the network as a whole, and about SOL. Part of `createSolanaRpc`. */
export function clusterReads(ask: JsonRpc) {
  return {
    genesisHash: () => ask('getGenesisHash', [], address),

    /**
     * The number of blocks, by which blockhashes expire. Slots without a block make it fall behind the slot number. A
     * node that has not seen `minContextSlot` refuses.
     */
    height(commitment: Commitment, minContextSlot?: number): Promise<number> {
      const config = { commitment, ...(minContextSlot === undefined ? {} : { minContextSlot }) };
      return ask('getBlockHeight', [config], count);
    },

    slot: (commitment: Commitment) => ask('getSlot', [{ commitment }], count),

    /** In Unix seconds. */
    blockTime: (slot: number) => ask('getBlockTime', [slot], count),

    /** Slot and block height of the newest finalized block, as one view of one node. */
    async finalized(): Promise<{ slot: number; height: number }> {
      const view = z.object({ absoluteSlot: count, blockHeight: count });
      const { absoluteSlot, blockHeight } = await ask('getEpochInfo', [{ commitment: 'finalized' }], view);
      return { slot: absoluteSlot, height: blockHeight };
    },

    /**
     * The oldest block whose transactions the node still has. It does not know of those that landed before, and answers
     * as if they had never landed. The node names a slot, and slots are not heights, so the block itself is asked for.
     * One so old that it has no height is at most as high as its slot. That the node shows the block is needed in any
     * case: one whose ledger is empty names slot 0, too.
     */
    async ledgerStart(): Promise<{ slot: number; height: number }> {
      const slot = await ask('getFirstAvailableBlock', [], count);
      const config = { commitment: 'finalized', transactionDetails: 'none', rewards: false };
      const view = z.object({ blockHeight: count.nullish() });
      const { blockHeight } = await ask('getBlock', [slot, { ...config, ...VERSIONS }], view);
      const height = blockHeight ?? slot;
      if (height > slot) throw new ChainUnavailable('getBlock', 'inconsistent');
      return { slot, height };
    },

    /** `lastValidHeight`: the last block in which a transaction with this blockhash can be. */
    async latestBlockhash(): Promise<{ blockhash: string; lastValidHeight: number }> {
      const view = inContext(z.object({ blockhash: address, lastValidBlockHeight: count }));
      const { value } = await ask('getLatestBlockhash', [{ commitment: 'confirmed' }], view);
      return { blockhash: value.blockhash, lastValidHeight: value.lastValidBlockHeight };
    },

    async lamports(wallet: string): Promise<bigint> {
      const { value } = await ask('getBalance', [wallet, { commitment: 'confirmed' }], inContext(count));
      return BigInt(value);
    },

    /** What opening a token account costs today, in lamports. */
    async tokenAccountRent(): Promise<bigint> {
      const params = [TOKEN_ACCOUNT_BYTES, { commitment: 'confirmed' }];
      return BigInt(await ask('getMinimumBalanceForRentExemption', params, count));
    },
  };
}
