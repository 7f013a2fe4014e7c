import { signingStops } from '../../db/stops.ts';
import type { BaseWorker, Lane } from '../dependencies.ts';
import type { Composition } from './composition.ts';
import { buryDeadPayments, renewDeadPayouts } from './death.ts';
import { composeInbound } from './inbound.ts';
import type { LaneDesk } from './lane-desk.ts';
import { authorizePayouts, composePayouts } from './payouts.ts';

/**
 * One round of the settlement engine: what is on its way keeps moving, then each free lane takes a batch. Everything
 * it knows it reads from rows, so that it may stop anywhere and start again.
 */
export async function settlementRound(worker: BaseWorker, desk: LaneDesk): Promise<void> {
  const maySign = (await signingStops(worker.store)).length === 0;
  await desk.keepMoving(maySign);
  if (!maySign) return;
  await authorizePayouts(worker);
  for (const lane of await desk.freeLanes()) {
    const batch = await composeFor(worker, lane);
    if (batch === null) return;
    await desk.send(lane, batch);
  }
}

/** Half of the lanes look for payouts first, so that neither direction can starve the other. */
async function composeFor(worker: BaseWorker, lane: Lane): Promise<Composition | null> {
  const payoutsFirst = worker.lanes.indexOf(lane) % 2 === 1;
  const [first, second] = payoutsFirst ? [composePayouts, composeInbound] : [composeInbound, composePayouts];
  return (await first(worker, lane)) ?? (await second(worker, lane));
}

/** After new blocks: what can never land any more is told so. */
export async function deathRound(worker: BaseWorker): Promise<void> {
  await buryDeadPayments(worker);
  await renewDeadPayouts(worker);
}
