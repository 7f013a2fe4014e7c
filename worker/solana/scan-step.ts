import type { LandedTransaction } from '../../chain/solana/messages/landed.ts';
import { readLedgerStart, wouldKnowNear } from '../../chain/solana/rpc/ledger.ts';
import { applySolanaScan, knownTransactions, landedBetween } from '../../db/solana/scan.ts';
import type { SolanaWorker } from '../dependencies.ts';
import { landedOf, settleOptions } from '../settle-options.ts';
import { openCursor, type SolanaCursor } from './first-cursor.ts';
import { goOnFrom, hasMore, readHistory, readUpTo, transactionsOf, type Found, type History } from './history.ts';

/** How many transactions that moved nothing are remembered. */
const EMPTY_MAX = 10_000;
const READ_AT_ONCE = 8;
/**
 * Nodes list a transaction shortly after its block, and not always in order, so reading starts again so far below the
 * finalized slot.
 */
const LISTED_AFTER_SLOTS = 32;
/** Slots pass five times a second, so a cursor that moves without news is written this rarely. */
const QUIET_WRITE_MS = 2_000;

/** `not-yet`: the node does not show all of what it announced; the same step is tried again. */
export type ScanOutcome = 'idle' | 'moved' | 'more' | 'not-yet';

/** Where a step ends: everything up to here is in the books. */
type Bounds = {
  toSlot: number;
  finalizedSlot: number;
  signature: string;
  taskSignature: string | null;
  formerSignatures: ReadonlyMap<string, string>;
};
type ReadBounds = Bounds & { readUntil: number | null };

/**
 * Books what touched our token accounts, no matter who sent it. Our own transactions are usually booked before, because
 * they are followed by signature; this finds all others and notices what a fork has removed.
 */
export function createScanner(worker: SolanaWorker) {
  /** Transactions that moved nothing of ours: read once instead of in every step until they are final. */
  const empty = new Set<string>();
  let writtenMs = -Infinity;
  let isDenied = false;

  return {
    async step(): Promise<ScanOutcome> {
      const cursor = await openCursor(worker);
      const askedAt = Math.floor(worker.now() / 1_000);
      const finalized = await worker.rpc.finalized();
      // A node that is behind the one asked before has no news.
      if (finalized.slot < cursor.finalizedBlock) return 'not-yet';
      const history = await readHistory(worker, cursor, finalized.slot);
      const found = transactionsOf(history);
      const more = hasMore(history);
      const read = await readNew(worker, found, empty);
      if (read === null) return 'not-yet';
      const looked = await lookForVanished(worker, cursor, found, readUpTo(history, finalized.slot));
      if (looked === 'denied' && !isDenied) worker.log.warn({ network: cursor.network }, DENIED);
      isDenied = looked === 'denied';
      if (looked === null || looked === 'denied') return 'not-yet';
      const bounds = toBounds(cursor, history, looked.finalizedSlot, finalized.slot);
      const isQuiet = read.length === 0 && looked.vanished.length === 0;
      if (isQuiet && !more && worker.now() - writtenMs < QUIET_WRITE_MS) return 'idle';
      if (!(await apply(worker, cursor, read, { ...bounds, readUntil: more ? null : askedAt }, looked.vanished)))
        return 'not-yet';
      writtenMs = worker.now();
      if (empty.size > EMPTY_MAX) empty.clear();
      // Without progress the next step would read the same again, so it waits for the chain.
      if (more && goesOn(cursor, bounds)) return 'more';
      return isQuiet ? 'idle' : 'moved';
    },
  };
}

function goesOn(cursor: SolanaCursor, { signature, taskSignature, formerSignatures }: Bounds): boolean {
  const isFormerMoved = [...formerSignatures].some(([address, one]) => one !== (cursor.formers.get(address) ?? ''));
  return signature !== cursor.blockHash || taskSignature !== cursor.taskSignature || isFormerMoved;
}

/** The transactions that are not booked yet; null when the node does not show one that it listed. */
async function readNew(
  worker: SolanaWorker,
  found: readonly Found[],
  empty: Set<string>,
): Promise<LandedTransaction[] | null> {
  const [oldest] = found;
  if (oldest === undefined) return [];
  const known = await knownTransactions(worker.store, worker.profile.network, oldest.slot - 1);
  const unread = found.filter(({ signature, failed }) => !failed && !known.has(signature) && !empty.has(signature));
  const read: LandedTransaction[] = [];
  for (let start = 0; start < unread.length; start += READ_AT_ONCE) {
    const some = unread.slice(start, start + READ_AT_ONCE);
    const transactions = await Promise.all(some.map(({ signature }) => worker.rpc.transaction(signature)));
    for (const transaction of transactions) {
      if (transaction === null) return null;
      if (transaction.transfers.length === 0) empty.add(transaction.signature);
      else read.push(transaction);
    }
  }
  return read;
}

type Look = { finalizedSlot: number; vanished: string[] };

const DENIED =
  'the node denies transactions that have landed, and does not have the blocks any more in which they may be: nothing is read on; use a node that has older blocks';

/**
 * What the books show as landed in slots that became final must be in the final view too. A transaction that is missing
 * there was on a fork that lost; one that is in a later slot delays finality until then. Null when the node cannot tell
 * yet; `denied` when it does not have the blocks any more in which it would be.
 */
async function lookForVanished(
  worker: SolanaWorker,
  cursor: SolanaCursor,
  found: readonly Found[],
  finalizedSlot: number,
): Promise<Look | 'denied' | null> {
  const { network } = worker.profile;
  const landed = await landedBetween(worker.store, network, cursor.finalizedBlock, finalizedSlot);
  const final = new Set(
    found.filter(({ slot, failed }) => !failed && slot <= finalizedSlot).map((one) => one.signature),
  );
  const doubtful = landed.filter(({ transaction }) => !final.has(transaction));
  if (doubtful.length === 0) return { finalizedSlot, vanished: [] };
  const { contextSlot, statuses } = await worker.rpc.statuses(doubtful.map(({ transaction }) => transaction));
  if (contextSlot < finalizedSlot) return null;
  const isAnyGone = doubtful.some((_one, index) => (statuses[index] ?? null) === null);
  const ledger = isAnyGone ? await readLedgerStart(worker.rpc) : null;
  const look: Look = { finalizedSlot, vanished: [] };
  for (const [index, { fact, slot }] of doubtful.entries()) {
    const status = statuses[index] ?? null;
    if (status === null && !wouldKnowNear(ledger, slot)) return 'denied';
    if (status === null || (status.commitment === 'finalized' && status.failed)) look.vanished.push(fact);
    else if (status.commitment !== 'finalized') look.finalizedSlot = Math.min(look.finalizedSlot, slot - 1);
  }
  if (look.vanished.length > 0) worker.log.warn({ network, facts: look.vanished }, 'a fork took transactions away');
  return look;
}

function toBounds(cursor: SolanaCursor, history: History, finalizedSlot: number, chainFinalizedSlot: number): Bounds {
  const { treasury, task, formers } = history;
  // Everything found is read, so reading goes on after the last transaction whose slot is fully listed.
  const listedSlot = chainFinalizedSlot - LISTED_AFTER_SLOTS;
  return {
    toSlot: Math.max(cursor.block, finalizedSlot, transactionsOf(history).at(-1)?.slot ?? 0),
    finalizedSlot: Math.max(cursor.finalizedBlock, finalizedSlot),
    signature: goOnFrom(treasury, listedSlot),
    taskSignature: task === null ? cursor.taskSignature : goOnFrom(task, listedSlot),
    formerSignatures: new Map([...formers].map(([address, one]) => [address, goOnFrom(one, listedSlot)])),
  };
}

async function apply(
  worker: SolanaWorker,
  cursor: SolanaCursor,
  read: readonly LandedTransaction[],
  bounds: ReadBounds,
  vanished: readonly string[],
): Promise<boolean> {
  const { network } = worker.profile;
  const movesMoney = read.length > 0;
  const sinceMs = worker.now();
  if (movesMoney) worker.failpoint('scan.before-apply');
  const result = await applySolanaScan(
    worker.store,
    {
      network,
      from: { slot: cursor.block, signature: cursor.blockHash, taskSignature: cursor.taskSignature },
      ...bounds,
      vanished,
      transfers: read.flatMap(({ transfers }) => transfers),
      ownAddresses: worker.ownAddresses,
    },
    settleOptions(worker),
  );
  if (movesMoney) worker.failpoint('scan.after-apply', landedOf(worker, result, sinceMs));
  worker.announce(result.changedPayments);
  return result.applied;
}
