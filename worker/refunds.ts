import type { Network } from '../core/networks.ts';
import { PLATFORM_NAMES, platformRow } from '../core/platforms/platforms.ts';
import { closingSince } from '../db/closing/begin.ts';
import { blockedLines, noteReturned } from '../db/tips/blocks.ts';
import { createRefundPayout, payersOwed } from '../db/refunds/create-payouts.ts';
import { expiredLines, linesWaitingOn, refundLine, allWaitingLines } from '../db/refunds/refund-line.ts';
import type { WorkerContext } from './dependencies.ts';

const EXPIRED_MAX = 500;

/**
 * Sends back what was not collected in time, and gathers what a payer is owed on a network into one payout. Answers how
 * many payouts were made.
 */
export async function refundRound(worker: WorkerContext, networks: readonly Network[]): Promise<number> {
  const { store, settings, transferIdOf, now } = worker;
  for (const txnId of await expiredLines(store, now(), EXPIRED_MAX)) {
    await alone(worker, { txnId }, () => refundLine(store, txnId, now()));
  }
  await returnBlocked(worker);
  const isClosing = (await closingSince(store)) !== null;
  if (isClosing) await returnAll(worker);
  // Nothing more comes that a small sum could wait for.
  const minMicroUsdc = isClosing ? 1n : settings.refundMinMicroUsdc;
  let made = 0;
  for (const network of networks) {
    for (const { payer, payerAccount, heldReason } of await payersOwed(store, network, minMicroUsdc)) {
      const owed = { network, payer, payerAccount, heldReason, minMicroUsdc };
      const payoutId = await alone(worker, { network, payer }, () =>
        createRefundPayout(store, owed, transferIdOf, now()),
      );
      if (payoutId !== null) made += 1;
    }
  }
  return made;
}

/** While the service ends, what waits goes back before its time, except what is being collected at this moment. */
async function returnAll(worker: WorkerContext): Promise<void> {
  const { store, now } = worker;
  for (const txnId of await allWaitingLines(store, now(), EXPIRED_MAX)) {
    await alone(worker, { txnId }, () => refundLine(store, txnId, now(), 'wind_down'));
  }
}

/** The payer is told the same as for anyone who takes no tips: nobody learns who has blocked them. */
async function returnBlocked(worker: WorkerContext): Promise<void> {
  const { store, now } = worker;
  const waiting = await blockedLines(store, EXPIRED_MAX);
  for (const txnId of waiting) {
    await alone(worker, { txnId }, () => refundLine(store, txnId, now(), 'opted_out'));
  }
  if (waiting.length === 0) await noteReturned(store, now());
}

/**
 * Sends back, once after a start, what waits under a bare name on platforms where only an id identifies a person: nobody
 * could ever collect it. Nothing new comes to wait there.
 */
export async function returnNameless(worker: WorkerContext): Promise<void> {
  const { store, now, log } = worker;
  const platforms = PLATFORM_NAMES.filter((platform) => platformRow(platform).isUserId !== undefined);
  for (let afterTxnId = 0; ;) {
    const waiting = await linesWaitingOn(store, platforms, { afterTxnId, limit: EXPIRED_MAX });
    for (const { txnId, platform, key } of waiting) {
      if (platformRow(platform).isUserId?.(key) !== false) continue;
      await alone(worker, { txnId }, () => refundLine(store, txnId, now(), 'no_answer'));
      log.info({ txnId, platform }, 'waited for a name that nobody can prove; goes back');
    }
    const last = waiting.at(-1);
    if (last === undefined) return;
    afterTxnId = last.txnId;
  }
}

/** A refund that fails must not stop the others. Null when it failed. */
async function alone<T>({ log }: WorkerContext, what: object, refund: () => Promise<T>): Promise<T | null> {
  try {
    return await refund();
  } catch (error) {
    log.error({ err: error, ...what }, 'could not be refunded; it is tried again');
    return null;
  }
}
