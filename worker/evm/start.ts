import { beat } from '../../db/store/heartbeats.ts';
import type { EvmWorker } from '../dependencies.ts';
import { startJob, type Job } from '../../queue/job.ts';
import type { RunningSettlement } from '../settlement.ts';
import { audit } from './audit.ts';
import { deathRound, settlementRound } from './engine.ts';
import { createTaskRounds } from '../tasks.ts';
import { createLaneScheduler } from './lane-scheduler.ts';
import { scanStep } from './scan-step.ts';
import { createBatchDelay } from '../batch-delay.ts';

const ENGINE_EVERY_MS = 500;
const DEATH_EVERY_MS = 1_000;
const AUDIT_EVERY_MS = 60_000;
const TASKS_EVERY_MS = 1_000;
const BEAT_EVERY_MS = 2_000;

/**
 * Runs scan, settlement, death checks and audit of one EVM network. The chain is read up to its head before the first
 * signature, so that the books hold what happened while we were away.
 */
export async function startEvmSettlement(worker: EvmWorker): Promise<RunningSettlement> {
  const scheduler = createLaneScheduler(worker);
  const batchDelay = createBatchDelay(worker.now);
  let ready = false;
  let beatMs = 0;
  const { log } = worker;

  const scan = startJob({
    name: 'scan',
    everyMs: worker.pace.scanEveryMs,
    log,
    step: async () => {
      let outcome = await scanStep(worker);
      let moved = outcome !== 'idle';
      while (outcome === 'more') outcome = await scanStep(worker);
      if (outcome === 'not-yet') return;
      await beatNow();
      if (!ready) {
        await scheduler.start();
        ready = moved = true;
      }
      if (moved) engine.wake();
    },
  });
  const engine = startJob({
    name: 'settlement',
    everyMs: ENGINE_EVERY_MS,
    log,
    step: async () => {
      if (!ready) return;
      await batchDelay.wait();
      await settlementRound(worker, scheduler);
    },
  });
  const beside = startBeside(worker, { isReady: () => ready, wakeEngine: () => engine.wake() });

  /** Tells other processes that this network is scanned; rarely, because each beat is a write. */
  async function beatNow(): Promise<void> {
    if (worker.now() - beatMs < BEAT_EVERY_MS) return;
    beatMs = worker.now();
    await beat(worker.store, `worker:${worker.profile.network}`, { atMs: beatMs, detail: {} });
  }

  return {
    wake: () => {
      batchDelay.noteArrival();
      engine.wake();
    },
    close: async () => {
      await Promise.all([scan, engine, ...beside].map((job) => job.close()));
    },
  };
}

type Beside = { isReady: () => boolean; wakeEngine: () => void };

/** Jobs that run on their own clocks, even while signing is stopped. */
function startBeside(worker: EvmWorker, { isReady, wakeEngine }: Beside): Job[] {
  const { log, profile, treasury } = worker;
  const death = startJob({
    name: 'death',
    everyMs: DEATH_EVERY_MS,
    log,
    step: async () => {
      if (isReady()) await deathRound(worker);
    },
  });
  const auditor = startJob({
    name: 'audit',
    everyMs: AUDIT_EVERY_MS,
    log,
    step: async () => {
      if (isReady()) await audit(worker);
    },
  });
  const taskRound = createTaskRounds(worker, { network: profile.network, treasury: treasury.address });
  const tasks = startJob({
    name: 'tasks',
    everyMs: TASKS_EVERY_MS,
    log,
    step: async () => {
      if (isReady() && worker.task && (await taskRound()) > 0) wakeEngine();
    },
  });
  return [death, auditor, tasks];
}
