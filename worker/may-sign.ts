import type { CarrierKind } from '../core/transfers/carriers.ts';
import { signingStops } from '../db/store/stops.ts';
import type { WorkerContext } from './dependencies.ts';

/** Says which kinds may be signed and sent now. */
export type MaySign = (kind: CarrierKind) => boolean;

/** Asks the database once: the answer is good for one round. */
export async function readMaySign({ store, settings }: Pick<WorkerContext, 'store' | 'settings'>): Promise<MaySign> {
  const isStopped = (await signingStops(store)).length > 0;
  return (kind) => !isStopped || settings.carriers[kind].duringStop === 'goes on';
}
