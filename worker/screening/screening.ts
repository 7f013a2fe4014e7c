import type { Logger } from 'pino';
import type { Screen, ScreeningQuestion } from '../../core/screening/screening.ts';
import { formatRecipient } from '../../core/platforms/recipient.ts';
import { findPlatform } from '../../core/platforms/platforms.ts';
import { networkNamed } from '../../core/networks.ts';
import type { TransferRow } from '../../db/payments/records/find.ts';
import { payoutOutcomes, peopleOf, SCREENED_PURPOSES, undecidedPayouts } from '../../db/screening/decisions.ts';
import type { Holder } from '../../db/processes/holdings.ts';
import { jobHolding } from '../../db/processes/owner.ts';
import type { Store } from '../../db/store/store.ts';
import { holdTransfer, postponeTransfers } from '../../db/transfers/authorize.ts';
import { startJob, type Job } from '../../queue/job.ts';

/** As many questions at a time as one service can be asked. */
const ASKED_AT_ONCE = 20;
const UNDECIDED_WAIT_MS = 500;
const EVERY_MS = 500;

type ScreeningWorker = {
  store: Store;
  now: () => number;
  log: Pick<Logger, 'warn' | 'error' | 'info'>;
  screen?: Screen | null;
};

/** One of the workers asks. `wake`: what was let pass can be signed. */
export function startScreening(worker: ScreeningWorker & { wake: () => void }, holder: Pick<Holder, 'want'>): Job {
  const name = 'screening';
  const step = async () => {
    if ((await screeningRound(worker)) === 0) return;
    worker.wake();
    job.wake();
  };
  const job = startJob({ name, everyMs: EVERY_MS, log: worker.log, hold: holder.want(jobHolding(name)), step });
  return job;
}

/**
 * Asks about queued payouts, apart from the rounds that settle: a service that does not answer holds up nothing but what
 * it was asked about. Answers how many were decided.
 */
export async function screeningRound({ store, now, screen, log }: ScreeningWorker): Promise<number> {
  if (screen === null || screen === undefined) return 0;
  const undecided = await undecidedPayouts(store, now(), ASKED_AT_ONCE);
  const people = await peopleOf(
    store,
    undecided.map(({ id }) => id),
  );
  const asked = await Promise.allSettled(undecided.map((payout) => screen(questionOf(payout, people))));
  for (const one of asked)
    if (one.status === 'rejected') log.error({ err: one.reason as unknown }, 'a payout was not screened');
  return asked.filter((one) => one.status === 'fulfilled' && one.value !== 'wait').length;
}

function questionOf(payout: TransferRow, people: Awaited<ReturnType<typeof peopleOf>>): ScreeningQuestion {
  const own = people.filter(({ payoutId }) => payoutId === payout.id);
  const payers = own.map(({ network, payer }) => ({ network: networkNamed(network), address: payer }));
  const names = own.flatMap(({ platform: name, key }) => {
    const platform = findPlatform(name);
    return platform === null ? [] : [formatRecipient({ platform, key })];
  });
  const to = { network: networkNamed(payout.network), address: payout.toAddress };
  return {
    stage: 'payout',
    subject: payout.id,
    accounts: [to, ...payers],
    names: payout.purpose === 'refund' ? [] : [...new Set(names)],
    amountMicroUsdc: payout.amountMicroUsdc,
  };
}

/** Those of the queued payouts that may be signed. What is refused is held, for the operator alone to release. */
export async function withoutUnscreened(
  { store, now, screen, log }: ScreeningWorker,
  queued: readonly TransferRow[],
): Promise<readonly TransferRow[]> {
  if (screen === null || screen === undefined) return queued;
  const isScreened = ({ purpose }: TransferRow) => SCREENED_PURPOSES.some((one) => one === purpose);
  const screened = queued.filter(isScreened);
  const outcomes = await payoutOutcomes(
    store,
    screened.map(({ id }) => id),
    now(),
  );
  const refused = screened.filter(({ id }) => outcomes.get(id) === 'refuse');
  for (const { id } of refused) {
    if (await holdTransfer(store, id, 'screening', now()))
      log.warn({ payoutId: id, reason: 'screening' }, 'payout is held');
  }
  const undecided = screened.filter(({ id }) => !['go', 'refuse'].includes(outcomes.get(id) ?? ''));
  // They take no other payout's place meanwhile.
  await postponeTransfers(
    store,
    undecided.map(({ id }) => id),
    now() + UNDECIDED_WAIT_MS,
  );
  return queued.filter((payout) => !isScreened(payout) || outcomes.get(payout.id) === 'go');
}
