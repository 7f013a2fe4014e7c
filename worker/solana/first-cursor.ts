import { openingBalance, type Entry } from '../../core/ledger.ts';
import { readCursor, startCursor, type Cursor } from '../../db/scan/cursor.ts';
import { openTaskAccount } from '../../db/solana/scan.ts';
import type { SolanaWorker } from '../dependencies.ts';

const TRIES_MAX = 10;

/** Where reading goes on; at the first start, where it begins. */
export async function openCursor(worker: SolanaWorker): Promise<Cursor> {
  const { profile, store, task } = worker;
  const cursor = (await readCursor(store, profile.network)) ?? (await firstCursor(worker));
  if (!task || cursor.taskSignature !== null) return cursor;
  // The task address is new to these books.
  const { signature, opening } = await readOpening(worker, { account: task.account, address: task.key.address });
  await openTaskAccount(store, { network: profile.network, signature, opening }, worker.now());
  return (await readCursor(store, profile.network)) ?? cursor;
}

/** What our token account holds is booked as the operator's own, and scanning begins after it. */
async function firstCursor(worker: SolanaWorker): Promise<Cursor> {
  const { treasury, treasuryAccount, profile, store } = worker;
  const { network } = profile;
  const own = { account: treasuryAccount, address: treasury.address };
  const { slot, signature, opening } = await readOpening(worker, own);
  const cursor: Cursor = {
    network,
    firstBlock: slot,
    block: slot,
    blockHash: signature,
    blockTime: Math.floor(worker.now() / 1000),
    safeBlock: slot,
    finalizedBlock: slot,
    taskSignature: null,
  };
  await startCursor(store, cursor, opening, worker.now());
  return (await readCursor(store, network)) ?? cursor;
}

type Opening = { slot: number; signature: string; opening: Entry[] };

/**
 * Our account's finalized balance and its newest finalized transaction. These are two questions, so they are repeated
 * until nothing happened between them.
 */
async function readOpening(worker: SolanaWorker, own: { account: string; address: string }): Promise<Opening> {
  const { rpc, profile } = worker;
  for (let attempt = 0; attempt < TRIES_MAX; attempt += 1) {
    const before = await rpc.newestSignature(own.account);
    const balance = await rpc.tokenBalance(own.account, 'finalized');
    const after = await rpc.newestSignature(own.account);
    const slot = balance?.slot ?? (await rpc.finalized()).slot;
    if (before?.signature !== after?.signature || (after !== null && after.slot > slot)) continue;
    const amount = balance?.amount ?? 0n;
    const entry = openingBalance({ network: profile.network, address: own.address, amount });
    return { slot, signature: after?.signature ?? '', opening: amount === 0n ? [] : [entry] };
  }
  throw new Error(`our token account ${own.account} moves faster than it can be read; its books cannot be opened`);
}
