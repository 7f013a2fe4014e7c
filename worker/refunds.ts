import type { Network } from '../core/networks.ts';
import { createRefundPayout, payersOwed } from '../db/refunds/create-payouts.ts';
import { expiredLines, refundLine } from '../db/refunds/refund-line.ts';
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
  const minMicroUsdc = settings.refundMinMicroUsdc;
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

/** A refund that fails must not stop the others. Null when it failed. */
async function alone<T>({ log }: WorkerContext, what: object, refund: () => Promise<T>): Promise<T | null> {
  try {
    return await refund();
  } catch (error) {
    log.error({ err: error, ...what }, 'could not be refunded; it is tried again');
    return null;
  }
}
