import type { Network } from '../core/networks.ts';
import type { CarrierKind } from '../core/transfers/carriers.ts';
import { isDoubted } from '../db/networks/standing.ts';
import type { Violation } from '../db/audit/invariants.ts';
import { stopSigning, stopsOn } from '../db/store/stops.ts';
import type { WorkerContext } from './dependencies.ts';

/** Says which kinds may be signed and sent now. */
export type MaySign = (kind: CarrierKind) => boolean;

type Asking = Pick<WorkerContext, 'store' | 'settings' | 'now'> & { profile: { network: Network } };

/**
 * Asks the database once: the answer is good for one round. While two nodes contradict each other nothing of any kind is
 * signed, because nobody knows what has happened already.
 */
export async function readMaySign({ store, settings, profile, now }: Asking): Promise<MaySign> {
  const { network } = profile;
  const [stops, isInDoubt] = await Promise.all([stopsOn(store, network), isDoubted(store, network, now())]);
  return (kind) => !isInDoubt && (stops.length === 0 || settings.carriers[kind].duringStop === 'goes on');
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
