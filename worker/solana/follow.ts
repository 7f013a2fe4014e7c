import { applyTransfers } from '../../db/scan/apply.ts';
import { openCarriers, type OpenCarrier } from '../../db/carriers/carriers.ts';
import { closeTransaction, type TransactionEnd } from '../../db/solana/close-transaction.ts';
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
};

/** What the chain says about a transaction. Nothing follows from `lost`: it is asked again. */
type Fate = 'lost' | 'waiting' | 'confirmed' | 'final' | 'failed' | 'dead';

/**
 * Follows each open transaction to its certain end. The order of the questions is what makes death certain: the
 * finalized height is read first, the statuses afterwards, and from a node whose view is not behind it.
 */
export function createFollower(worker: SolanaWorker) {
  const follower: Follower = { worker, lastSentMs: new Map(), taken: new Set() };
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
      const lags = contextSlot < finalized.slot;
      let changed = false;
      for (const [index, one] of open.entries()) {
        const fate = fateOf(one, statuses[index] ?? null, { lags, height: finalized.height });
        if (await actAlone(follower, one, fate)) changed = true;
      }
      return changed;
    },
  };
}

function fateOf(
  { carrier }: OpenCarrier,
  status: SignatureStatus | null,
  view: { lags: boolean; height: number },
): Fate {
  if (status === null) {
    if (view.lags) return 'lost';
    return carrier.lastValidHeight !== null && view.height > carrier.lastValidHeight ? 'dead' : 'waiting';
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

async function resend({ worker, lastSentMs }: Follower, { carrier, newest }: OpenCarrier): Promise<void> {
  const { hash, bytes } = newest;
  const lastMs = lastSentMs.get(hash) ?? carrier.createdAtMs;
  if (worker.now() - lastMs < RESEND_EVERY_MS) return;
  lastSentMs.set(hash, worker.now());
  await worker.rpc.sendRaw(bytes);
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

function forgetClosed({ lastSentMs, taken }: Follower, open: readonly OpenCarrier[]): void {
  const signatures = new Set(open.map(({ newest }) => newest.hash));
  const ids = new Set(open.map(({ carrier }) => carrier.id));
  for (const signature of lastSentMs.keys()) if (!signatures.has(signature)) lastSentMs.delete(signature);
  for (const id of taken) if (!ids.has(id)) taken.delete(id);
}
