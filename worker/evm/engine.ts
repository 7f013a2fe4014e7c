import { ChainUnavailable } from '../../chain/errors.ts';
import { signingStops } from '../../db/stops.ts';
import type { BaseWorker, Lane } from '../dependencies.ts';
import type { Composition } from './composition.ts';
import { buryDeadPayments, renewDeadPayouts } from './death.ts';
import { composeInbound } from './inbound.ts';
import type { LaneDesk } from './lane-desk.ts';
import { authorizePayouts, composePayouts } from './payouts.ts';
import { composeSweeps, renewDeadSweeps, signSweeps } from './sweeps.ts';
import { endWithdrawals } from './withdrawals-end.ts';
import { composeWithdrawals } from './withdrawals.ts';

/** Of so many batches one looks for withdrawals first. */
const WITHDRAWAL_TURNS = 4;

/**
 * One round of the settlement engine: what is on its way keeps moving, then each free lane takes a batch. Everything
 * it knows it reads from rows, so that it may stop anywhere and start again.
 */
export async function settlementRound(worker: BaseWorker, desk: LaneDesk): Promise<void> {
  const maySign = (await signingStops(worker.store)).length === 0;
  await desk.keepMoving(maySign);
  const signing = maySign ? [() => signSweeps(worker), () => authorizePayouts(worker)] : [];
  await inTurn([...signing, () => fillLanes(worker, desk, maySign)]);
}

async function fillLanes(worker: BaseWorker, desk: LaneDesk, maySign: boolean): Promise<void> {
  for (const lane of await desk.freeLanes()) {
    const batch = await composeFor(worker, lane, { maySign, sent: desk.sentCount() });
    if (batch === null) return;
    await desk.send(lane, batch);
  }
}

type Turn = { maySign: boolean; sent: number };

/**
 * A stop, whatever its reason, says that something about our own money is not understood. Withdrawals touch none of it:
 * people have signed for theirs, and a lane gives gas. So they go on; otherwise they come after the others, but for their
 * turn, so that neither a crowd of payments nor a crowd of withdrawals can starve the other.
 */
async function composeFor(worker: BaseWorker, lane: Lane, { maySign, sent }: Turn): Promise<Composition | null> {
  if (!maySign) return composeTheirs(worker, lane);
  const isTheirTurn = sent % WITHDRAWAL_TURNS === WITHDRAWAL_TURNS - 1;
  const [first, second] = isTheirTurn ? [composeTheirs, composeOurs] : [composeOurs, composeTheirs];
  return (await first(worker, lane)) ?? (await second(worker, lane));
}

/** Withdrawals that no node would simulate keep nothing else from its batch. */
async function composeTheirs(worker: BaseWorker, lane: Lane): Promise<Composition | null> {
  try {
    return await composeWithdrawals(worker, lane);
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    worker.log.warn({ err: error }, 'withdrawals could not be tried; they wait');
    return null;
  }
}

/** Half of the lanes look for payouts first, so that neither direction can starve the other. */
async function composeOurs(worker: BaseWorker, lane: Lane): Promise<Composition | null> {
  // A sweep is rare, and payouts may wait for it.
  const sweep = await composeSweeps(worker, lane);
  if (sweep !== null) return sweep;
  const payoutsFirst = worker.lanes.indexOf(lane) % 2 === 1;
  const [first, second] = payoutsFirst ? [composePayouts, composeInbound] : [composeInbound, composePayouts];
  return (await first(worker, lane)) ?? (await second(worker, lane));
}

/** After new blocks: what can never land any more is told so, and what became of withdrawals. */
export async function deathRound(worker: BaseWorker): Promise<void> {
  await inTurn([buryDeadPayments, renewDeadPayouts, renewDeadSweeps, endWithdrawals].map((step) => () => step(worker)));
}

/** One after the other: what fails keeps none of those after it from being done, and is told at the end. */
async function inTurn(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures);
}
