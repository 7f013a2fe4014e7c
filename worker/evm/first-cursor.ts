import type { BlockHeader } from '../../chain/evm/rpc/rpc-shapes.ts';
import { ChainUnavailable } from '../../chain/errors.ts';
import { openingBalance, type Entry } from '../../core/ledger.ts';
import { readCursor, startCursor, type Cursor } from '../../db/scan/cursor.ts';
import type { EvmWorker } from '../dependencies.ts';

/**
 * Scanning starts at a block that can no longer be reorganised. What our addresses held there is booked as the
 * operator's own; what they received earlier is not in these books.
 */
export async function firstCursor(worker: EvmWorker): Promise<Cursor> {
  const { network } = worker.profile;
  const { block, opening } = await openBooks(worker);
  const cursor: Cursor = {
    network,
    firstBlock: block.number,
    block: block.number,
    blockHash: block.hash,
    blockTime: block.time,
    safeBlock: block.number,
    finalizedBlock: block.number,
    taskSignature: null,
  };
  await startCursor(worker.store, cursor, opening, worker.now());
  return (await readCursor(worker.store, network)) ?? cursor;
}

type OpenedBooks = { block: BlockHeader; opening: Entry[] };

/** A node without state that old cannot say what we held then, so the newest block is used. */
async function openBooks(worker: EvmWorker): Promise<OpenedBooks> {
  const { finalized, latest } = await worker.rpc.head();
  try {
    return { block: finalized, opening: await balancesAt(worker, finalized.number) };
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    return { block: latest, opening: await balancesAt(worker, latest.number) };
  }
}

async function balancesAt(worker: EvmWorker, block: number): Promise<Entry[]> {
  const { network } = worker.profile;
  const balances = await Promise.all(worker.ownAddresses.map((address) => worker.rpc.balanceOf(address, block)));
  return worker.ownAddresses.flatMap((address, index) => {
    const amount = balances[index] ?? 0n;
    return amount === 0n ? [] : [openingBalance({ network, address, amount })];
  });
}
