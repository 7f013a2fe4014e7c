import type { EvmProfile } from '../../chain/evm/rpc/profile.ts';
import type { EvmRpc } from '../../chain/evm/rpc/rpc.ts';
import { transfersOf } from '../../chain/evm/transfers.ts';
import { ChainUnavailable } from '../../chain/errors.ts';
import type { TransferReader } from './transfer-reader.ts';

type EvmTransfers = { profile: EvmProfile; rpc: Pick<EvmRpc, 'head' | 'receipts'>; address: string };

export function createEvmTransfers({ profile, rpc, address }: EvmTransfers): TransferReader {
  return {
    address,
    head: () => orWhenAway(async () => (await rpc.head()).latest.number, null),
    async transfersOf(transaction) {
      if (!/^0x[0-9a-fA-F]{64}$/.test(transaction)) return { kind: 'not-found' };
      const hash = transaction.toLowerCase() as `0x${string}`;
      return orWhenAway(async () => {
        const [receipt] = await rpc.receipts([hash]);
        if (!receipt) return { kind: 'not-found' } as const;
        const transfers = transfersOf(receipt, profile).map(({ from, to, value }) => ({
          from,
          to,
          amountMicroUsdc: value,
        }));
        return { kind: 'found', transfers, block: receipt.block, failed: !receipt.succeeded, memo: null } as const;
      }, UNAVAILABLE);
    },
  };
}

const UNAVAILABLE = { kind: 'unavailable' } as const;

async function orWhenAway<T, U>(ask: () => Promise<T>, away: U): Promise<T | U> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ChainUnavailable) return away;
    throw error;
  }
}
