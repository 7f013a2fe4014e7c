import { openingBalance } from '../../core/ledger.ts';
import { readCursor, startCursor, type Cursor } from '../../db/scan/cursor.ts';
import type { SolanaWorker } from '../dependencies.ts';

const TRIES_MAX = 10;

/**
 * The first start: what our token account holds in the finalized view is booked as the operator's own, and scanning
 * begins after the newest transaction of that view. Balance and transaction are two questions, so they are repeated
 * until nothing has happened between them.
 */
export async function firstCursor(worker: SolanaWorker): Promise<Cursor> {
  const { rpc, treasury, treasuryAccount, profile, store } = worker;
  for (let attempt = 0; attempt < TRIES_MAX; attempt += 1) {
    const before = await rpc.newestSignature(treasuryAccount);
    const balance = await rpc.tokenBalance(treasuryAccount, 'finalized');
    const after = await rpc.newestSignature(treasuryAccount);
    const slot = balance?.slot ?? (await rpc.finalized()).slot;
    if (before?.signature !== after?.signature || (after !== null && after.slot > slot)) continue;
    const cursor: Cursor = {
      network: profile.network,
      block: slot,
      blockHash: after?.signature ?? '',
      blockTime: Math.floor(worker.now() / 1000),
      safeBlock: slot,
      finalizedBlock: slot,
    };
    const amount = balance?.amount ?? 0n;
    const opening =
      amount === 0n ? [] : [openingBalance({ network: profile.network, address: treasury.address, amount })];
    await startCursor(store, cursor, opening, worker.now());
    return (await readCursor(store, profile.network)) ?? cursor;
  }
  throw new Error('our token account moves faster than it can be read; the books cannot be opened on it');
}
