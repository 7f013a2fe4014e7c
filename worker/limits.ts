import { dueHeldByLimit, releaseByLimit } from '../db/limits/release.ts';
import {
  orphanedPayouts,
  orphanedRefunds,
  releaseLostExposure,
  voidOrphan,
  voidRefund,
} from '../db/transfers/orphans.ts';
import { startWalk, type Walk } from '../db/payments/records/waiting-people.ts';
import { lookForPayable, payableLines, payWaitingLine } from '../db/transfers/waiting.ts';
import type { WorkerContext } from './dependencies.ts';

const AT_ONCE_MAX = 200;
const BESIDE_MAX = 20;

type LimitsWorker = Pick<WorkerContext, 'store' | 'transferIdOf' | 'now' | 'log'>;

/** How many payouts may go on now, and how many came to nothing. `hasMore`: a backlog has work for the next round. */
export type LimitsResult = { released: number; made: number; voided: number; hasMore: boolean };

/**
 * Releases what waits for a change that brings no event: payouts held until a day has room, lines waiting for our own
 * money on another network, and leftovers of payments that a reorganisation removed. All state is in rows and each step
 * names the old state, so a round may stop anywhere and run in several workers. `walk`: through the lines that wait, from
 * round to round.
 */
export async function limitsRound(worker: LimitsWorker, walk: Walk = startWalk()): Promise<LimitsResult> {
  const { store, transferIdOf, now } = worker;
  // What has died comes first: it gives back limits, float and exposure that others can use.
  const payouts = await orphanedPayouts(store, AT_ONCE_MAX);
  const voided = await each(worker, payouts, (id) => voidOrphan(store, id, now()));
  const refunds = await orphanedRefunds(store, AT_ONCE_MAX);
  const ended = await each(worker, refunds, (id) => voidRefund(store, id, now()));
  await releaseLostExposure(store, AT_ONCE_MAX);
  const held = await dueHeldByLimit(store, now(), AT_ONCE_MAX);
  const released = await each(worker, held, (id) => releaseByLimit(store, id, now()));
  const { people, next } = await lookForPayable(store, walk, now());
  const waiting = await payableLines(store, people, now(), AT_ONCE_MAX);
  const pay = async (txnId: number) => (await payWaitingLine(store, txnId, transferIdOf, now())) !== null;
  const made = await each(worker, waiting, pay);
  if (voided + ended > 0)
    worker.log.warn({ payouts: voided, refunds: ended }, 'voided payouts and refunds of dead payments');
  if (released + made > 0) worker.log.info({ released, made }, 'released payouts that had to wait');
  // Where nothing could be done, the next look would find the same ones.
  const isOfMore = waiting.length >= AT_ONCE_MAX && made > 0;
  if (!isOfMore) walk.after = next;
  const hasMore = (held.length === AT_ONCE_MAX && released > 0) || isOfMore;
  return { released, made, voided: voided + ended, hasMore };
}

/** Counts the items that were done. One that fails is tried again in the next round and must not stop the others. */
async function each<Item>(
  { log }: LimitsWorker,
  items: readonly Item[],
  act: (item: Item) => Promise<boolean>,
): Promise<number> {
  let done = 0;
  const attempt = async (item: Item) => {
    try {
      if (await act(item)) done += 1;
    } catch (error) {
      log.error({ err: error, item }, 'could not go on; it is tried again');
    }
  };
  // Several at once share one commit; the oldest still come first.
  for (let start = 0; start < items.length; start += BESIDE_MAX) {
    await Promise.all(items.slice(start, start + BESIDE_MAX).map(attempt));
  }
  return done;
}
