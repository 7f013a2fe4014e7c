import type { Network } from '../core/networks.ts';
import { isHalted, type CarrierStep } from '../core/payments/stops.ts';
import type { CarrierKind } from '../core/transfers/carriers.ts';
import { isDoubted } from '../db/networks/standing.ts';
import type { Violation } from '../db/audit/invariants.ts';
import { stopSigning, stopsOn } from '../db/store/stops.ts';
import type { WorkerContext } from './dependencies.ts';

/** Tells which kinds may be signed and sent now. */
export type MaySign = (kind: CarrierKind, step?: CarrierStep) => boolean;

type Asking = Pick<WorkerContext, 'store' | 'settings' | 'now'> & { profile: { network: Network } };

/**
 * Asks the database once, for one round; what is signed in it is stored only if no stop has come meanwhile. While two nodes contradict each other nothing is
 * signed, because nobody knows what has happened already.
 */
export async function readMaySign({ store, settings, profile, now }: Asking): Promise<MaySign> {
  const { network } = profile;
  const [stops, isInDoubt] = await Promise.all([stopsOn(store, network), isDoubted(store, network, now())]);
  return (kind, step = 'new') => !isInDoubt && !isHalted(stops, { kind, step }, settings.carriers);
}

/** Nothing is signed on this network, or any, until an operator has looked; payment routes then answer `service_paused`. */
export async function stopFor(
  { store, log, now }: Pick<WorkerContext, 'store' | 'log' | 'now'>,
  violations: readonly Violation[],
): Promise<void> {
  for (const { rule, detail, network } of violations) {
    log.error({ network, rule, detail }, 'an invariant is broken; signing stops');
    await stopSigning(store, { reason: 'invariant_broken', network, detail: `${rule}: ${detail}` }, now());
  }
}
