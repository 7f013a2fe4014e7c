import type { Address } from 'viem';
import { microUsdc } from '../../core/money.ts';
import type { DepositReads, SeenDeposit } from '../../core/wallets/deposits.ts';
import { ChainUnavailable } from '../errors.ts';
import type { EvmProfile } from '../evm/rpc/profile.ts';
import type { EvmRpc } from '../evm/rpc/rpc.ts';
import { readTransfer } from '../evm/rpc/usdc-logs.ts';

/** Nodes take so many in one question. */
const ADDRESSES_MAX = 200;
/** Blocks that are asked for beside what time alone says: some chains seal a few faster. */
const MARGIN_BLOCKS = 30;

/** What leaves an address of ours is a payout or a refund, and has its own place in a statement. */
export function createEvmDeposits(
  rpc: Pick<EvmRpc, 'head' | 'blocks' | 'transfersTouching'>,
  { rules }: Pick<EvmProfile, 'rules'>,
  ownAddresses: readonly Address[],
): DepositReads {
  const own = new Set<string>(ownAddresses.map((address) => address.toLowerCase()));

  async function timeOf(block: number): Promise<number> {
    const [header] = await rpc.blocks(block, block);
    if (header === undefined) throw new ChainUnavailable('eth_getBlockByNumber', 'inconsistent');
    return header.time * 1_000;
  }

  return {
    knowsAll: false,
    addressesMax: ADDRESSES_MAX,
    blocksMin: 1,
    blocksMax: rules.logBlocksMax,
    newestBlock: async () => (await rpc.head()).safe.number,

    async blockBefore(atMs) {
      const { safe } = await rpc.head();
      const seconds = Math.max(0, safe.time - Math.floor(atMs / 1_000));
      let back = Math.ceil(seconds / rules.secondsPerBlock) + MARGIN_BLOCKS;
      while (back < safe.number && (await timeOf(safe.number - back)) > atMs) back *= 2;
      return Math.max(0, safe.number - back);
    },

    async depositsTo(addresses, fromBlock, toBlock) {
      const wanted = new Set(addresses.map((address) => address.toLowerCase()));
      const logs = await rpc.transfersTouching(
        addresses.map((address) => address.toLowerCase() as Address),
        fromBlock,
        toBlock,
      );
      const found = logs.flatMap((log) => {
        const transfer = readTransfer(log);
        if (transfer === null || transfer.value === 0n || transfer.from === transfer.to) return [];
        return wanted.has(transfer.to) && !own.has(transfer.from) ? [{ log, transfer }] : [];
      });
      const times = new Map<number, number>();
      for (const { log } of found) if (!times.has(log.block)) times.set(log.block, await timeOf(log.block));
      const deposits = found.map(({ log, transfer }): SeenDeposit => ({
        transaction: log.transaction,
        place: log.logIndex,
        to: transfer.to,
        amount: microUsdc(transfer.value),
        atMs: times.get(log.block) ?? 0,
      }));
      return { found: deposits, upTo: toBlock };
    },
  };
}
