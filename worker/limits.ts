import { dueHeldByLimit, releaseByLimit } from '../db/limits/release.ts';
import {
  orphanedPayouts,
  orphanedRefunds,
  releaseLostExposure,
  voidOrphan,
  voidRefund,
} from '../db/payouts/orphans.ts';
import { payableLines, payWaitingLine } from '../db/payouts/waiting.ts';
import type { WorkerContext } from './dependencies.ts';

const AT_ONCE_MAX = 200;

type LimitsWorker = Pick<WorkerContext, 'store' | 'ids' | 'now' | 'log'>;

/** How many payouts may go on now, and how many came to nothing. */
export type LimitsResult = { released: number; made: number; voided: number };

/**
 * Takes up what waits for something that changes without an event: held payouts for a day with room, lines for our own
 * money on another network, and what a reorganisation has left without its payment. Everything it knows it reads from
 * rows and each step is one transaction that names the old state, so it may stop anywhere and run in several workers.
 */
export async function limitsRound(worker: LimitsWorker): Promise<LimitsResult> {
  const { store, ids, now } = worker;
  // First what dies: it gives back limits, float and exposure that others can use.
  const payouts = await orphanedPayouts(store, AT_ONCE_MAX);
  const voided = await each(worker, payouts, (id) => voidOrphan(store, id, now()));
  const refunds = await orphanedRefunds(store, AT_ONCE_MAX);
  const ended = await each(worker, refunds, (id) => voidRefund(store, id, now()));
  await releaseLostExposure(store, AT_ONCE_MAX);
  const held = await dueHeldByLimit(store, now(), AT_ONCE_MAX);
  const released = await each(worker, held, (id) => releaseByLimit(store, id, now()));
  const waiting = await payableLines(store, now(), AT_ONCE_MAX);
  const pay = async (txnId: number) => (await payWaitingLine(store, txnId, ids.payoutId, now())) !== null;
  const made = await each(worker, waiting, pay);
  if (voided + ended > 0) worker.log.warn({ payouts: voided, refunds: ended }, 'ended what dead payments had left');
  if (released + made > 0) worker.log.info({ released, made }, 'payouts go on that had to wait');
  return { released, made, voided: voided + ended };
}

/** Counts those that were done. One that fails is tried again in the next round and must not keep the others from it. */
async function each<Item>(
  { log }: LimitsWorker,
  items: readonly Item[],
  act: (item: Item) => Promise<boolean>,
): Promise<number> {
  let done = 0;
  for (const item of items) {
    try {
      if (await act(item)) done += 1;
    } catch (error) {
      log.error({ err: error, item }, 'could not be taken up; it is tried again');
    }
  }
  return done;
}
