import { SigningRefused, type SigningGuard } from '../chain/signing/policy.ts';
import type { Network } from '../core/networks.ts';
import { isHalted, type CarrierStep } from '../core/payments/stops.ts';
import type { CarrierKind } from '../core/transfers/carriers.ts';
import { isDoubted } from '../db/networks/standing.ts';
import type { Violation } from '../db/audit/invariants.ts';
import { stopSigning, stopsOn } from '../db/store/stops.ts';
import type { WorkerContext } from './dependencies.ts';

/** Tells which kinds may be signed and sent now. */
export type MaySign = (kind: CarrierKind, step?: CarrierStep) => boolean;

type Asking = Pick<WorkerContext, 'store' | 'now'> & {
  settings: Pick<WorkerContext['settings'], 'carriers'>;
  profile: { network: Network };
};

/**
 * Asks the database once, for one round; what is signed in it is stored only if no stop has come meanwhile. While two nodes contradict each other nothing is
 * signed, because nobody knows what has happened already.
 */
export async function readMaySign({ store, settings, profile, now }: Asking): Promise<MaySign> {
  const { network } = profile;
  const [stops, isInDoubt] = await Promise.all([stopsOn(store, network), isDoubted(store, network, now())]);
  return (kind, step = 'new') => !isInDoubt && !isHalted(stops, { kind, step }, settings.carriers);
}

/** A round with a slow key service is long, so a stop that comes in the middle of it is seen this soon. */
const ASK_AGAIN_MS = 250;

/** Asked right before each signature: the lease of this process, and the stops of the network. */
export function createSigningGuard(asking: Asking, lease: { holds: () => boolean }): SigningGuard {
  let newest: { atMs: number; maySign: Promise<MaySign> } | null = null;
  return async ({ kind, step }) => {
    if (!lease.holds()) throw new SigningRefused(kind, 'the lease of this process is over');
    const nowMs = asking.now();
    if (newest === null || nowMs - newest.atMs >= ASK_AGAIN_MS || nowMs < newest.atMs)
      newest = { atMs: nowMs, maySign: readMaySign(asking) };
    const { maySign } = newest;
    const may = await maySign.catch((error: unknown) => {
      newest = null;
      throw error;
    });
    if (!may(kind, step)) throw new SigningRefused(kind, `it is stopped on ${asking.profile.network}`);
  };
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
