import type { Context } from 'hono';
import { markDelivery } from '../../db/payments/records/deliver.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import type { ApiEnv } from '../http/env.ts';

/** Aborted when the caller hangs up before its answer is written. */
export function hangUpSignal(c: Context<ApiEnv>): AbortSignal {
  const controller = new AbortController();
  const outgoing = c.env?.outgoing;
  outgoing?.once('close', () => {
    if (!outgoing.writableFinished) controller.abort();
  });
  return controller.signal;
}

/**
 * Notes whether the 200 really left: `finish` means that every byte was handed to the network. What the network then
 * loses we cannot see; the caller repeats the same proof and gets the stored answer.
 */
export function noteDelivery(c: Context<ApiEnv>, dependencies: ApiDependencies, paymentId: string): void {
  const { store, log } = dependencies;
  const note = (delivery: 'handed' | 'missed') => {
    markDelivery(store, paymentId, delivery).catch((error: unknown) => {
      log.error(
        { err: error, paymentId, delivery },
        'could not note a delivery; a retry may be taken for a new payment',
      );
    });
  };
  const outgoing = c.env?.outgoing;
  if (!outgoing) return note('handed');
  if (outgoing.destroyed) return note('missed');
  outgoing.once('finish', () => note('handed'));
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) note('missed');
  });
}
