import { ChainUnavailable } from '../../chain/errors.ts';
import { fromBase58 } from '../../chain/solana/messages/base58.ts';
import { SIGNATURE_BYTES } from '../../chain/solana/messages/programs.ts';
import type { SolanaRpc } from '../../chain/solana/rpc/rpc.ts';
import type { TransferReader } from './transfer-reader.ts';

type SolanaTransfers = { rpc: Pick<SolanaRpc, 'slot' | 'transaction'>; address: string };

export function createSolanaTransfers({ rpc, address }: SolanaTransfers): TransferReader {
  return {
    address,
    // Not the processed slot: it may still take transactions, and nothing in the slot of the opening ever pays.
    head: () => orWhenAway(() => rpc.slot('confirmed'), null),
    async transfersOf(transaction) {
      if (fromBase58(transaction, SIGNATURE_BYTES) === null) return { kind: 'not-found' };
      return orWhenAway(async () => {
        const found = await rpc.transaction(transaction);
        if (found === null) return { kind: 'not-found' } as const;
        const transfers = found.transfers.map(({ from, to, value }) => ({ from, to, amountMicroUsdc: value }));
        const [memo = null, ...others] = found.memos;
        const place = { block: found.slot, failed: found.failed };
        return { kind: 'found', transfers, ...place, memo: others.length === 0 ? memo : null } as const;
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
