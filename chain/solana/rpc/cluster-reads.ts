import { z } from 'zod';
import type { JsonRpc } from '../../json-rpc.ts';
import { TOKEN_ACCOUNT_BYTES } from '../messages/programs.ts';
import { address, type Commitment, count, inContext } from '../messages/rpc-shapes.ts';

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
