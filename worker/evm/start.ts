import { newestCredited } from '../../chain/evm/scan.ts';
import { readCursor } from '../../db/scan/cursor.ts';
import { beat } from '../../db/store/heartbeats.ts';
import { settlementOf, sweptOf, type EvmWorker } from '../dependencies.ts';
import { startJob, type Job } from '../../queue/job.ts';
import type { RunningSettlement } from '../settlement.ts';
import { auditChain, compareWithChain } from './audit.ts';
import { deathRound, settlementRound } from './engine.ts';
import { createTaskRounds } from '../tasks.ts';
import { createScanLook } from './scan-look.ts';
import { createLaneScheduler } from './lanes/lane-scheduler.ts';
import { createLaneShare } from './lanes/lane-share.ts';
import { startSolvencyCheck } from '../networks/solvency.ts';
import { createRest } from '../networks/rest.ts';
import { scanStep } from './scan-step.ts';
import { createBatchDelay } from './lanes/batch-delay.ts';

const ENGINE_EVERY_MS = 1_000;
const DEATH_EVERY_MS = 1_000;
const AUDIT_EVERY_MS = 60_000;
const BEAT_EVERY_MS = 2_000;

/**
 * Runs scan, settlement, death checks and audit of one EVM network. The chain is read up to its head before the first
 * signature, so that the books hold what happened while we were away. Of several workers one reads the chain and signs
 * what the network owes; each sends from its own lanes.
 */
export async function startEvmSettlement(worker: EvmWorker): Promise<RunningSettlement> {
  const settlement = settlementOf(worker);
  const share = createLaneShare(worker, () => engine.wake());
  const scheduler = createLaneScheduler(worker, share);
  const books = createReadBooks(worker);
  const rest = createRest(worker, ENGINE_EVERY_MS);
  const look = createScanLook(worker, rest.isBusy);
  const { blockMs } = worker.pace;
  const batchDelay = createBatchDelay({ now: worker.now, blockMs, blockLeft: () => look.blockLeft() });
  let isBegun = false;
  let beatMs = 0;
  const { log } = worker;

  const scan = startJob({
    name: 'scan',
    everyMs: () => look.pauseMs(),
    log,
    hold: settlement,
    step: async () => {
      const scanned = await look.open();
      if (scanned === null) return beatNow();
      let outcome = await scanStep(scanned);
      let moved = outcome !== 'idle';
      while (outcome === 'more') outcome = await scanStep(scanned);
      if (outcome === 'not-yet') return;
      look.noteRead();
      await beatNow();
      if (books.noteRead()) moved = true;
      if (moved) engine.wake();
    },
  });
  const engine = startJob({
    name: 'settlement',
    everyMs: rest.everyMs,
    log,
    step: async () => {
      if (!(await books.areRead())) return;
      if (!isBegun) await scheduler.start();
      isBegun = true;
      await share.look();
      await batchDelay.wait();
      // Signed ahead, while the lanes wait for their block.
      if (await settlementRound(worker, scheduler, batchDelay)) engine.wake();
      await rest.look();
    },
  });
  const beside = startBeside(worker, { isReady: books.areReadHere, wakeEngine: () => engine.wake() });

  /** Tells other processes that this network is scanned; rarely, because each beat is a write. */
  async function beatNow(): Promise<void> {
    if (worker.now() - beatMs < BEAT_EVERY_MS) return;
    beatMs = worker.now();
    await beat(worker.store, `worker:${worker.profile.network}`, { atMs: beatMs, detail: {} });
  }

  return {
    wake: (payments = 0) => {
      if (payments > 0) batchDelay.noteArrival();
      // The block that will hold it may come before a scan at rest looks again.
      if (rest.noteWork()) scan.wake();
      engine.wake();
    },
    close: async () => {
      await Promise.all([scan, engine, ...beside].map((job) => job.close()));
    },
  };
}

/** Whether the books hold what happened until this worker began. */
function createReadBooks(worker: EvmWorker) {
  const settlement = settlementOf(worker);
  let isReadHere = false;
  let isRead = false;
  let headBlock: number | null = null;
  // Another worker may have read on, and signed, since this one last did.
  settlement.onTaken(() => (isReadHere = false));

  return {
    /** The head is reached. True: for the first time since this worker reads the chain. */
    noteRead(): boolean {
      const isFirst = !isReadHere;
      isReadHere = isRead = true;
      return isFirst;
    },
    areReadHere: () => settlement.isHeld() && isReadHere,
    /** Also where another worker reads the chain: it has come to the head that this one found. */
    async areRead(): Promise<boolean> {
      if (settlement.isHeld()) return isReadHere;
      if (isRead) return true;
      headBlock ??= newestCredited(await worker.rpc.head(), worker.profile);
      const cursor = await readCursor(worker.store, worker.profile.network);
      isRead = cursor !== null && cursor.block >= headBlock;
      return isRead;
    },
  };
}

type Beside = { isReady: () => boolean; wakeEngine: () => void };

/** Jobs that run on their own clocks, even while signing is stopped. */
function startBeside(worker: EvmWorker, { isReady, wakeEngine }: Beside): Job[] {
  const { log, profile, treasury } = worker;
  const rest = createRest(worker, DEATH_EVERY_MS);
  const death = startJob({
    name: 'death',
    everyMs: rest.everyMs,
    log,
    step: async () => {
      if (isReady()) await deathRound(worker);
      await rest.look();
    },
  });
  const auditor = startJob({
    name: 'audit',
    everyMs: AUDIT_EVERY_MS,
    log,
    step: async () => {
      if (isReady()) await auditChain(worker);
    },
  });
  const taskRound = createTaskRounds(worker, { network: profile.network, treasury: treasury.address });
  const tasks = startJob({
    name: 'tasks',
    everyMs: taskRound.everyMs,
    log,
    step: async () => {
      if (isReady() && sweptOf(worker).length > 0 && (await taskRound.run()) > 0) wakeEngine();
    },
  });
  const solvency = startSolvencyCheck(worker, profile.network, async () =>
    isReady() ? compareWithChain(worker) : null,
  );
  return [death, auditor, tasks, solvency];
}
