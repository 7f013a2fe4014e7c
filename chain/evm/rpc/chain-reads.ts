import type { Address, Hex } from 'viem';
import { ChainUnavailable } from '../../errors.ts';
import type { JsonRpc } from '../../json-rpc.ts';
import type { ChainRules } from './profile.ts';
import {
  type BlockHeader,
  blockHeader,
  type BlockTag,
  bytes,
  count,
  quantity,
  toBlockParameter,
  type TransactionReceipt,
  transactionReceipt,
} from './rpc-shapes.ts';

export type Head = { latest: BlockHeader; safe: BlockHeader; finalized: BlockHeader };

/** What any chain of this kind can be asked; nothing here knows USDC. Part of `createEvmRpc`. */
export function chainReads(ask: JsonRpc, { safeTag, hasL1Fee }: ChainRules) {
  const receiptOrNull = transactionReceipt(hasL1Fee).nullable();
  const header = (block: BlockTag) =>
    ask('eth_getBlockByNumber', [toBlockParameter(block, safeTag), false], blockHeader.nullable());

  return {
    chainId: () => ask('eth_chainId', [], count),

    latest: async () => withoutGap(await header('latest')),

    /** The three heads, as one moment of one node. */
    async head(): Promise<Head> {
      // Asked from the oldest to the newest, so that a block sealed meanwhile cannot put them out of order.
      const [finalized, safe, latest] = await Promise.all([header('finalized'), header('safe'), header('latest')]);
      if (!finalized || !safe || !latest || finalized.number > safe.number || safe.number > latest.number) {
        throw new ChainUnavailable('eth_getBlockByNumber', 'inconsistent');
      }
      return { latest, safe, finalized };
    },

    /** Headers of `from` to `to`, both included; fewer where the node does not have the last ones yet. */
    async blocks(from: number, to: number): Promise<BlockHeader[]> {
      const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
      const headers = await Promise.all(numbers.map((number) => header(number)));
      const missing = headers.indexOf(null);
      const found = headers.slice(0, missing === -1 ? headers.length : missing).filter((found) => found !== null);
      if (found.some(({ number }, index) => number !== numbers[index])) {
        throw new ChainUnavailable('eth_getBlockByNumber', 'malformed');
      }
      return found;
    },

    /** In the order of the hashes; null where no sealed block known to the node holds the transaction. */
    async receipts(hashes: readonly Hex[]): Promise<(TransactionReceipt | null)[]> {
      const receipts = await Promise.all(hashes.map((hash) => ask('eth_getTransactionReceipt', [hash], receiptOrNull)));
      if (receipts.some((receipt, index) => receipt && receipt.transaction !== hashes[index]?.toLowerCase())) {
        throw new ChainUnavailable('eth_getTransactionReceipt', 'malformed');
      }
      return receipts;
    },

    /** Code of each address, `0x` for none. 7702 accounts have code too. */
    code: (addresses: readonly Address[], block: BlockTag) =>
      Promise.all(addresses.map((address) => ask('eth_getCode', [address, toBlockParameter(block, safeTag)], bytes))),

    /** In wei. */
    nativeBalance: (address: Address, block: BlockTag = 'latest') =>
      ask('eth_getBalance', [address, toBlockParameter(block, safeTag)], quantity),

    /** The address's next nonce; `pending` also counts transactions in the node's pool. */
    transactionCount: (address: Address, block: 'latest' | 'pending') =>
      ask('eth_getTransactionCount', [address, block], count),

    /**
     * Sends a signed transaction. Nothing follows from the node's answer, or from none: a refused or lost transaction may
     * still land. Ask for its receipt.
     */
    async sendRaw(raw: Hex): Promise<void> {
      try {
        await ask('eth_sendRawTransaction', [raw], bytes);
      } catch (error) {
        if (!(error instanceof ChainUnavailable)) throw error;
      }
    },
  };
}

/** A node always has a newest block. */
function withoutGap(header: BlockHeader | null): BlockHeader {
  if (header === null) throw new ChainUnavailable('eth_getBlockByNumber', 'inconsistent');
  return header;
}
