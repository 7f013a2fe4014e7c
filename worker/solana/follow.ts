import { applyTransfers } from '../../db/scan/apply.ts';
import { openCarriers, readBytes, type OpenCarrier } from '../../db/carriers/carriers.ts';
import { closeTransaction, type TransactionEnd } from '../../db/solana/close-transaction.ts';
import { neededHeight, readLedgerStart, wouldKnow, type LedgerStart } from '../../chain/solana/rpc/ledger.ts';
import type { SignatureStatus } from '../../chain/solana/rpc/rpc.ts';
import type { SolanaWorker } from '../dependencies.ts';
import { landedOf, settleOptions } from '../settle-options.ts';
import { failuresCounter } from './counters.ts';

const OPEN_MAX = 1_000;
/** The same bytes are sent again this often; a node ignores what it knows. */
const RESEND_EVERY_MS = 2_000;

type Follower = {
  worker: SolanaWorker;
  /** When bytes were last sent, by signature. It only spaces repeats: after a restart they may be sent at once. */
  lastSentMs: Map<string, number>;
  /** Carriers whose transfers are booked. After a restart all are asked for again. */
  taken: Set<string>;
  /** Carriers that could not be judged, with the oldest block of the node then. It only keeps the log short. */
  unjudged: Map<string, number | null>;
};

/**
 * What the chain says about a transaction. Nothing follows from `lost`, it is asked again; nor from `unproven`: a node that does not
 * have the blocks any more in which it may have landed cannot deny it.
 */
type Fate = 'lost' | 'waiting' | 'unproven' | 'confirmed' | 'final' | 'failed' | 'dead';

/** `ledger`: the oldest block that the node has, where that matters; null: it does not say. */
type View = { lags: boolean; height: number; ledger: LedgerStart | null };

/**
 * Follows each open transaction to its certain end. The order of the questions is what makes death certain: the
 * finalized height is read first, the statuses afterwards, from a node whose view is not behind it, and at last how old the oldest
 * block is that the node has: none of those in which the transaction could have landed may be missing.
 */
export function createFollower(worker: SolanaWorker) {
  const follower: Follower = { worker, lastSentMs: new Map(), taken: new Set(), unjudged: new Map() };
  let isFollowing = true;
  return {
    /** False: nothing was on its way at the last step. What is sent afterwards wakes it. */
    isFollowing: () => isFollowing,
    /** True when something changed. */
    async step(): Promise<boolean> {
      const open = await openCarriers(worker.store, worker.profile.network, OPEN_MAX);
      isFollowing = open.length > 0;
      forgetClosed(follower, open);
      if (open.length === 0) return false;
      const finalized = await worker.rpc.finalized();
      const { contextSlot, statuses } = await worker.rpc.statuses(open.map(({ newest }) => newest.hash));
      const view = { lags: contextSlot < finalized.slot, height: finalized.height };
      const isAnyOver = open.some((one, index) => (statuses[index] ?? null) === null && isOver(one, view));
      const ledger = isAnyOver ? await readLedgerStart(worker.rpc) : null;
      let changed = false;
      for (const [index, one] of open.entries()) {
        const fate = fateOf(one, statuses[index] ?? null, { ...view, ledger });
        if (fate === 'unproven') warnOnce(follower, one, ledger);
        if (await actAlone(follower, one, fate)) changed = true;
      }
      return changed;
    },
  };
}

/** No block will take it any more, by a view that is not behind. */
function isOver({ carrier }: OpenCarrier, { lags, height }: Omit<View, 'ledger'>): boolean {
  return !lags && carrier.lastValidHeight !== null && height > carrier.lastValidHeight;
}

function fateOf(open: OpenCarrier, status: SignatureStatus | null, view: View): Fate {
  if (status === null) {
    if (view.lags) return 'lost';
    if (!isOver(open, view)) return 'waiting';
    return wouldKnow(view.ledger, open.carrier.lastValidHeight ?? 0) ? 'dead' : 'unproven';
  }
  if (status.commitment === 'finalized') return status.failed ? 'failed' : 'final';
  // A failure that is not final may be rolled back, and the same bytes succeed after all.
  return status.commitment === 'confirmed' && !status.failed ? 'confirmed' : 'waiting';
}

/** A transaction that cannot be followed must not stop the others. */
async function actAlone(follower: Follower, open: OpenCarrier, fate: Fate): Promise<boolean> {
  try {
    return await act(follower, open, fate);
  } catch (error) {
    follower.worker.log.error({ err: error, carrierId: open.carrier.id }, 'could not be followed; it is tried again');
    return false;
  }
}

async function act(follower: Follower, open: OpenCarrier, fate: Fate): Promise<boolean> {
  switch (fate) {
    case 'lost':
    case 'waiting':
    case 'unproven':
      // A confirmed transaction may have vanished with its fork and be confirmed again.
      follower.taken.delete(open.carrier.id);
      await resend(follower, open);
      return false;
    case 'confirmed':
      return take(follower, open);
    case 'final':
    case 'failed':
      return finish(follower, open, fate);
    case 'dead':
      return close(follower, open, { kind: 'dead' });
  }
}

/** It stays open until a node answers that has those blocks. */
function warnOnce({ worker, unjudged }: Follower, { carrier, newest }: OpenCarrier, ledger: LedgerStart | null): void {
  const oldestHeight = ledger?.height ?? null;
  if (unjudged.has(carrier.id) && (unjudged.get(carrier.id) !== null || oldestHeight === null)) return;
  unjudged.set(carrier.id, oldestHeight);
  const { id: carrierId, kind, network } = carrier;
  const needed = { neededHeight: neededHeight(carrier.lastValidHeight ?? 0), oldestHeight };
  worker.log.warn(
    { network, carrierId, kind, signature: newest.hash, ...needed },
    'nobody can tell whether it landed: the node does not have the blocks any more in which it could have, so it stays open; use a node that has all from neededHeight on',
  );
}

async function resend({ worker, lastSentMs }: Follower, { carrier, newest }: OpenCarrier): Promise<void> {
  const { hash } = newest;
  const lastMs = lastSentMs.get(hash) ?? carrier.createdAtMs;
  if (worker.now() - lastMs < RESEND_EVERY_MS) return;
  lastSentMs.set(hash, worker.now());
  const bytes = await readBytes(worker.store, hash);
  if (bytes !== null) await worker.rpc.sendRaw(bytes);
}

/** Books what a confirmed transaction moved. Booking it twice changes nothing. */
async function take({ worker, taken }: Follower, open: OpenCarrier): Promise<boolean> {
  if (taken.has(open.carrier.id)) return false;
  const transaction = await worker.rpc.transaction(open.newest.hash);
  if (transaction === null || transaction.failed) return false;
  const { network } = worker.profile;
  const seen = { network, transfers: transaction.transfers, ownAddresses: worker.ownAddresses };
  const sinceMs = worker.now();
  worker.failpoint('scan.before-apply');
  const result = await applyTransfers(worker.store, seen, settleOptions(worker));
  worker.failpoint('scan.after-apply', landedOf(worker, result, sinceMs));
  taken.add(open.carrier.id);
  worker.announce(result.changedPayments);
  return true;
}

async function finish(follower: Follower, open: OpenCarrier, kind: 'final' | 'failed'): Promise<boolean> {
  const { worker } = follower;
  const transaction = await worker.rpc.transaction(open.newest.hash);
  // The status came from another node; they will agree soon.
  if (transaction === null || transaction.failed !== (kind === 'failed')) return false;
  if (kind === 'final') await take(follower, open);
  const { lamportsSpent, opened } = transaction;
  // A payer opens accounts at their own cost.
  const rents = open.carrier.kind === 'inbound' ? [] : opened;
  return close(follower, open, { kind, lamportsSpent, rents });
}

async function close({ worker }: Follower, open: OpenCarrier, end: TransactionEnd): Promise<boolean> {
  const nowMs = worker.now();
  const at = { nowMs, failuresCounter: (payer: string) => failuresCounter(payer, nowMs) };
  const { closed, rejectedPayments, renewedTransfers } = await closeTransaction(worker.store, open, end, at);
  if (!closed) return false;
  if (end.kind !== 'final') {
    const { id, kind } = open.carrier;
    worker.log.warn(
      { carrierId: id, kind, signature: open.newest.hash, end: end.kind, renewed: renewedTransfers.length },
      'did not land',
    );
  }
  worker.announce(rejectedPayments);
  return true;
}

function forgetClosed({ lastSentMs, taken, unjudged }: Follower, open: readonly OpenCarrier[]): void {
  const signatures = new Set(open.map(({ newest }) => newest.hash));
  const ids = new Set(open.map(({ carrier }) => carrier.id));
  for (const signature of lastSentMs.keys()) if (!signatures.has(signature)) lastSentMs.delete(signature);
  for (const id of taken) if (!ids.has(id)) taken.delete(id);
  for (const id of unjudged.keys()) if (!ids.has(id)) unjudged.delete(id);
}
