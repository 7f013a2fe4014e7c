import type { Purchase } from '../core/bodies/order.ts';
import { skillsOf } from '../core/catalog/skills.ts';
import type { Network } from '../core/networks.ts';
import { PLATFORM_NAMES } from '../core/platforms/platforms.ts';
import { isOptedOut } from '../db/identities/identities.ts';
import type { NewLine } from '../db/payments/order.ts';
import { expireTasks } from '../db/tasks/expire.ts';
import { hasOpenTasks } from '../db/tasks/find.ts';
import { fittingTransfers, type Fit } from '../db/tasks/fitting.ts';
import { isOrderTaken, payTask } from '../db/tasks/pay.ts';
import type { TaskRow } from '../db/tasks/open.ts';
import type { WorkerContext } from './dependencies.ts';
import { settleOptions } from './settle-options.ts';

/** Below this a transfer to the treasury costs too much for what it moves, unless payouts wait for it. */
export const SWEEP_MIN_MICRO_USDC = 1_000_000n;

const FITS_MAX = 500;
/** At the same time, because a name may take a platform's time to resolve. */
const AT_ONCE = 16;
const EXPIRE_EVERY_MS = 10_000;
/** While a task is open. */
const EVERY_MS = 1_000;

export type TaskPlace = { network: Network; treasury: string };

/**
 * Matches transfers to the tasks that they pay. All state is in rows, and each match is one transaction that takes
 * both, so a round may stop anywhere and run in several workers at once.
 */
export function createTaskRounds(
  worker: WorkerContext & { pace: { idleEveryMs?: number } },
  place: TaskPlace,
): TaskRounds {
  const { idleEveryMs = EVERY_MS } = worker.pace;
  let expiredMs = -Infinity;
  let isOpen = true;
  return {
    everyMs: () => (isOpen ? EVERY_MS : idleEveryMs),
    async run() {
      if (worker.now() - expiredMs >= EXPIRE_EVERY_MS) {
        expiredMs = worker.now();
        await expireTasks(worker.store, worker.now());
      }
      const paid = await matchRound(worker, place);
      isOpen = await hasOpenTasks(worker.store);
      return paid;
    },
  };
}

export type TaskRounds = {
  /** Answers how many tasks were paid. */
  run: () => Promise<number>;
  everyMs: () => number;
};

/** Answers how many tasks were paid. */
export async function matchRound(worker: WorkerContext, place: TaskPlace): Promise<number> {
  const fits = await fittingTransfers(worker.store, place.network, FITS_MAX);
  // Of two transfers for one task the first one pays it.
  const first = new Map(fits.toReversed().map((fit) => [fit.task.id, fit]));
  const due = [...first.values()].toReversed();
  let paid = 0;
  for (let start = 0; start < due.length; start += AT_ONCE) {
    const some = due.slice(start, start + AT_ONCE).map((fit) => matchAlone(worker, place, fit));
    paid += (await Promise.all(some)).filter(Boolean).length;
  }
  return paid;
}

/** A match that cannot be stored must not stop the others. */
async function matchAlone(worker: WorkerContext, place: TaskPlace, fit: Fit): Promise<boolean> {
  try {
    return await match(worker, place, fit);
  } catch (error) {
    worker.log.error({ err: error, fact: fit.transfer.fact }, 'a paid task could not be stored; it is tried again');
    return false;
  }
}

async function match(worker: WorkerContext, { treasury }: TaskPlace, { task, transfer }: Fit): Promise<boolean> {
  const { store, ids, now } = worker;
  // A payer whose signed payment is accepted meanwhile has the task, unless that payment fails.
  if (await isOrderTaken(store, task.id)) return false;
  const { lines: ordered, ...order } = readOrder(task);
  const lines = await Promise.all(ordered.map((line) => toLine(worker, line)));
  const paymentId = ids.attemptId(now());
  const payment = { task, transfer, paymentId, payTo: treasury, order, lines };
  const extra = transfer.amountMicroUsdc - task.sumMicroUsdc - task.feeMicroUsdc;
  const passage = { sinceMs: now(), network: transfer.network, payments: [paymentId] };
  worker.failpoint('task.before-match');
  const result = await payTask(store, payment, settleOptions(worker, extra));
  worker.failpoint('task.after-match', result === 'paid' ? passage : undefined);
  if (result !== 'paid') {
    worker.log.info({ fact: transfer.fact, result }, 'a transfer for a task waits');
    return false;
  }
  worker.log.info({ paymentId, transaction: transfer.transaction }, 'a transfer paid a task');
  worker.announce([paymentId, task.id]);
  return true;
}

/**
 * Reads the task's order as it was when the task was opened. Rules that have changed since refuse nothing: the money is
 * already here.
 */
function readOrder(task: TaskRow): Purchase {
  const skill = skillsOf(PLATFORM_NAMES).find(({ id }) => id === task.skill);
  if (skill === undefined) throw new Error(`task ${task.id} is of skill ${task.skill}, which is not in the catalog`);
  return skill.paid.read(task.params, { isBot: true, check: () => undefined }, skill.platform);
}

/**
 * Resolves the recipient's name. Where it does not resolve, or its owner wants no payments, the line is looked up again
 * like any other and is refunded from there.
 */
async function toLine({ ids, identity, store }: WorkerContext, line: Purchase['lines'][number]): Promise<NewLine> {
  const { platform, key, display } = line.recipient;
  const found = (await identity?.resolve(line.recipient)) ?? { kind: 'unavailable' as const };
  const isWelcome = found.kind === 'found' && !(await isOptedOut(store, platform, found.stableId));
  return {
    txnId: ids.txnId(),
    slug: ids.slug(),
    publicSlug: ids.slug(),
    identityId: ids.identityId(),
    recipient: { platform, key, display, stableId: isWelcome ? found.stableId : null },
    receiver: line.receiver,
    amountMicroUsdc: line.amount,
    note: line.note,
  };
}
