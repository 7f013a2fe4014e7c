import { ChainUnavailable } from '../../chain/errors.ts';
import { SignerAway } from '../../chain/signing/kms/away.ts';
import type { Lane } from '../../chain/signing/evm.ts';
import { settlementOf, type EvmWorker } from '../dependencies.ts';
import { readMaySign, type MaySign } from '../may-sign.ts';
import type { BatchDelay } from './lanes/batch-delay.ts';
import type { Composition } from './lanes/composition.ts';
import { buryDeadPayments } from './death.ts';
import { composeInbound } from './inbound.ts';
import type { LaneScheduler } from './lanes/lane-scheduler.ts';
import { authorizePayouts } from './payouts.ts';
import { renewExpired } from './renew.ts';
import { signSweeps } from './sweeps.ts';
import { composeTransfers } from './transfers.ts';
import { endWithdrawals } from './withdrawals-end.ts';
import { composeWithdrawals } from './withdrawals.ts';

/** One in this many batches takes withdrawals first. */
const WITHDRAWAL_TURNS = 4;

/**
 * One round of the settlement engine: keeps open batches moving, then gives each free lane a batch. All state is in
 * rows, so it may stop anywhere and start again. True: a backlog has more for the next round, which need not wait.
 */
export async function settlementRound(
  worker: EvmWorker,
  scheduler: LaneScheduler,
  delay: Delay = AT_ONCE,
): Promise<boolean> {
  const maySign = await readMaySign(worker);
  await scheduler.keepMoving(maySign);
  const isMine = settlementOf(worker).isHeld();
  let hasMore = false;
  await inTurn([
    async () => isMine && maySign('sweep') && signSweeps(worker),
    async () => {
      if (isMine && maySign('payout')) hasMore = await authorizePayouts(worker);
    },
    () => fillLanes(worker, scheduler, { maySign, delay }),
  ]);
  return hasMore;
}

type Delay = Pick<BatchDelay, 'begin' | 'gather' | 'noteSent'>;
const AT_ONCE: Delay = { begin: () => undefined, gather: async () => undefined, noteSent: () => undefined };

type Round = { maySign: MaySign; delay: Delay };

async function fillLanes(worker: EvmWorker, scheduler: LaneScheduler, round: Round): Promise<void> {
  const { free, othersWait } = await scheduler.freeLanes();
  let isFirst = !othersWait;
  round.delay.begin();
  for (const lane of free) {
    if (!isFirst) await round.delay.gather();
    const outcome = await fillLane(worker, scheduler, lane, round).catch((error: unknown) => {
      if (!(error instanceof SignerAway)) throw error;
      worker.log.warn({ lane: lane.address, err: error }, 'this lane cannot sign now; the others go on');
      return 'away' as const;
    });
    if (outcome !== 'sent' && outcome !== 'away') return;
    if (outcome === 'sent') isFirst = false;
  }
}

/** Another worker may choose the same items at the same time: the next look finds those that it has left. */
async function fillLane(worker: EvmWorker, scheduler: LaneScheduler, lane: Lane, { maySign, delay }: Round) {
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const batch = await composeFor(worker, lane, { maySign, sent: scheduler.sentCount() });
    if (batch === null) {
      delay.noteSent(null);
      return 'idle';
    }
    const outcome = await scheduler.send(lane, batch);
    if (outcome === 'sent' && batch.kind === 'inbound') delay.noteSent(batch.itemIds.length);
    if (outcome !== 'taken') return outcome;
  }
  return 'taken';
}

const LOOKS_MAX = 3;

type Turn = { maySign: MaySign; sent: number };

/** Withdrawals come last except in their turn, so that neither many payments nor many withdrawals starve the other. */
async function composeFor(worker: EvmWorker, lane: Lane, { maySign, sent }: Turn): Promise<Composition | null> {
  const isTheirTurn = sent % WITHDRAWAL_TURNS === WITHDRAWAL_TURNS - 1;
  const theirs = async () => (maySign('withdrawal') ? composeTheirs(worker, lane) : null);
  const ours = () => composeOurs(worker, lane, maySign);
  const [first, second] = isTheirTurn ? [theirs, ours] : [ours, theirs];
  return (await first()) ?? (await second());
}

/** Withdrawals that cannot be simulated must not stop the other batches. */
async function composeTheirs(worker: EvmWorker, lane: Lane): Promise<Composition | null> {
  try {
    return await composeWithdrawals(worker, lane);
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    worker.log.warn({ err: error }, 'withdrawals could not be tried; they wait');
    return null;
  }
}

/** Half of the lanes look for payouts first, so that neither direction can starve the other. */
async function composeOurs(worker: EvmWorker, lane: Lane, maySign: MaySign): Promise<Composition | null> {
  // Sweeps come first: they are rare, and payouts may wait for their money.
  const sweep = maySign('sweep') ? await composeTransfers(worker, lane, 'sweep') : null;
  if (sweep !== null) return sweep;
  const payoutsFirst = worker.lanes.indexOf(lane) % 2 === 1;
  const payouts = async () => (maySign('payout') ? composeTransfers(worker, lane, 'payout') : null);
  const inbound = async () => (maySign('inbound') ? composeInbound(worker, lane) : null);
  const [first, second] = payoutsFirst ? [payouts, inbound] : [inbound, payouts];
  return (await first()) ?? (await second());
}

/** After new blocks: ends what can never land any more, and withdrawals that have landed. */
export async function deathRound(worker: EvmWorker): Promise<void> {
  let head: ReturnType<EvmWorker['rpc']['head']> | null = null;
  const readHead = () => (head ??= worker.rpc.head());
  await inTurn([buryDeadPayments, renewExpired, endWithdrawals].map((step) => () => step(worker, readHead)));
}

/** Runs every step in order even when one fails, then throws the failures. */
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
