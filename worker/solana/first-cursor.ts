import { openingBalance, type Entry } from '../../core/ledger.ts';
import { readCursor, startCursor, type Cursor } from '../../db/scan/cursor.ts';
import { readSignatures, UNREAD } from '../../db/rotations/signatures.ts';
import { beginFormer, beginReading, openTaskAccount } from '../../db/solana/scan.ts';
import type { SolanaWorker } from '../dependencies.ts';

const TRIES_MAX = 10;

/** `formers`: after which transaction of each former account reading goes on. */
export type SolanaCursor = Cursor & { formers: ReadonlyMap<string, string> };

/** Where reading goes on; at the first start, where it begins. */
export async function openCursor(worker: SolanaWorker): Promise<SolanaCursor> {
  const own = await openOwn(
    worker,
    (await readCursor(worker.store, worker.profile.network)) ?? (await firstCursor(worker)),
  );
  return { ...own, formers: await openFormers(worker, own) };
}

async function openOwn(worker: SolanaWorker, cursor: Cursor): Promise<Cursor> {
  const { profile, store, task, treasuryAccount } = worker;
  const { network } = profile;
  const isNew = task && cursor.taskSignature === null;
  if (!isNew && cursor.blockHash !== UNREAD && cursor.taskSignature !== UNREAD) return cursor;
  if (isNew) {
    // The task address is new to these books.
    const { signature, opening } = await readOpening(worker, { account: task.account, address: task.key.address });
    await openTaskAccount(store, { network, signature, opening }, worker.now());
  }
  if (cursor.blockHash === UNREAD) {
    const signature = await lastBefore(worker, treasuryAccount, cursor);
    await beginReading(store, { network, role: 'treasury', signature });
  }
  if (task && cursor.taskSignature === UNREAD) {
    const signature = await lastBefore(worker, task.account, cursor);
    await beginReading(store, { network, role: 'task', signature });
  }
  return (await readCursor(store, network)) ?? cursor;
}

async function openFormers(worker: SolanaWorker, cursor: Cursor): Promise<ReadonlyMap<string, string>> {
  const { profile, store, formers = [] } = worker;
  const { network } = profile;
  if (formers.length === 0) return new Map();
  const known = await readSignatures(store.read, store.tables, network);
  const fresh = formers.filter(({ key }) => (known.get(key.address) ?? UNREAD) === UNREAD);
  if (fresh.length === 0) return known;
  for (const { key, account } of fresh) {
    const { address } = key;
    const { signature, opening } = known.has(address)
      ? { signature: await lastBefore(worker, account, cursor), opening: [] }
      : await readOpening(worker, { account, address });
    await beginFormer(store, { network, address, signature, opening }, worker.now());
  }
  return readSignatures(store.read, store.tables, network);
}

/** More were there before it was ours: choose another key. */
const BEFORE_MAX = 100_000;

/**
 * The newest transaction by the books' last block. What came there later is ours to explain, also where these books are a backup
 * from before the rotation and the account has been paid and has paid since.
 */
async function lastBefore({ rpc }: SolanaWorker, account: string, { finalizedBlock }: Cursor): Promise<string> {
  const since = { until: null, minContextSlot: finalizedBlock, max: BEFORE_MAX };
  const { found, more } = await rpc.signaturesFor(account, since);
  // The oldest come first.
  if (more && (found.at(-1)?.slot ?? 0) <= finalizedBlock)
    throw new Error(`our token account ${account} has too long a history to begin with`);
  return found.findLast(({ slot }) => slot <= finalizedBlock)?.signature ?? '';
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
