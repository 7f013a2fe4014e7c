import { beat } from '../../db/store/heartbeats.ts';
import { hasOpenTasks } from '../../db/tasks/find.ts';
import { settlementOf, sweptOf, type SolanaWorker } from '../dependencies.ts';
import { startJob, type Job } from '../../queue/job.ts';
import { readMaySign } from '../may-sign.ts';
import type { RunningSettlement } from '../settlement.ts';
import { startSolvencyCheck } from '../networks/solvency.ts';
import { createRest } from '../networks/rest.ts';
import { createTaskRounds } from '../tasks.ts';
import { releaseWaitingForAccounts } from './account-quota.ts';
import { createAudit } from './audit.ts';
import { compareWithChain } from './compare.ts';
import { createFollower } from './follow.ts';
import { sendInbound } from './inbound.ts';
import { ensureOwnAccounts } from './own-account.ts';
import { sendPayouts } from './payouts.ts';
import { createScanner } from './scan-step.ts';
import { sendSweeps } from './sweeps.ts';
import { sendWithdrawals } from './withdrawals.ts';

const ENGINE_EVERY_MS = 500;
const AUDIT_EVERY_MS = 60_000;
const WITHDRAWALS_EVERY_MS = 500;
const ACCOUNTS_EVERY_MS = 30_000;
const BEAT_EVERY_MS = 2_000;
/** While nothing is on its way. */
const IDLE_FOLLOW_EVERY_MS = 1_000;

/**
 * Runs the settlement on Solana: follows our transactions by their signatures and scans our accounts for everything
 * else. They are read up to the chain's head before the first signature, so that the books hold what happened while we
 * were away. Of several workers one does all this: the fee payer and the treasury sign in one place at a time.
 */
export async function startSolanaSettlement(worker: SolanaWorker): Promise<RunningSettlement> {
  const { log, pace } = worker;
  const settlement = settlementOf(worker);
  const beatNow = createBeat(worker);
  const remember = () => ({ scanner: createScanner(worker), follower: createFollower(worker), isRead: false });
  let memory = remember();
  let isQuiet = false;
  const rest = createRest(worker, ENGINE_EVERY_MS);
  // Another worker may have gone on since this one last did: what this one remembers is out of date.
  settlement.onTaken(() => (memory = remember()));
  const isReady = () => settlement.isHeld() && memory.isRead;

  const scan = startJob({
    name: 'solana scan',
    everyMs: () => (isQuiet ? (pace.idleScanEveryMs ?? pace.scanEveryMs) : pace.scanEveryMs),
    log,
    hold: settlement,
    step: async () => {
      const mine = memory;
      if (!mine.isRead) await ensureOwnAccounts(worker);
      let outcome = await mine.scanner.step();
      const moved = outcome !== 'idle';
      while (outcome === 'more') outcome = await mine.scanner.step();
      isQuiet = false;
      if (outcome === 'not-yet') return;
      await beatNow();
      isQuiet = mine.isRead && !mine.follower.isFollowing() && !(await hasOpenTasks(worker.store));
      if (mine.isRead && !moved) return;
      mine.isRead = true;
      engine.wake();
    },
  });
  const engine = startJob({
    name: 'solana settlement',
    everyMs: rest.everyMs,
    log,
    step: async () => {
      if (isReady() && (await sendOurs(worker)) > 0) follow.wake();
      await rest.look();
    },
  });
  const follow = startJob({
    name: 'solana transactions',
    everyMs: () => (isReady() && !memory.follower.isFollowing() ? IDLE_FOLLOW_EVERY_MS : pace.followEveryMs),
    log,
    step: async () => {
      if (isReady() && (await memory.follower.step())) engine.wake();
    },
  });
  const beside = startBeside(worker, {
    isReady,
    wakeEngine: () => engine.wake(),
    wakeFollow: follow.wake,
  });

  return {
    wake: engine.wake,
    close: async () => {
      await Promise.all([scan, engine, follow, ...beside].map((job) => job.close()));
    },
  };
}

/** Answers how many transactions were sent. */
async function sendOurs(worker: SolanaWorker): Promise<number> {
  const maySign = await readMaySign(worker);
  let sent = 0;
  if (maySign('inbound')) sent += await sendInbound(worker);
  if (maySign('sweep')) sent += await sendSweeps(worker);
  if (maySign('payout')) sent += await sendPayouts(worker);
  return sent;
}

type Beside = { isReady: () => boolean; wakeEngine: () => void; wakeFollow: () => void };

/** Jobs that run on their own clocks, even while signing is stopped. */
function startBeside(worker: SolanaWorker, { isReady, wakeEngine, wakeFollow }: Beside): Job[] {
  const { log } = worker;
  const audit = createAudit(worker);
  const rest = createRest(worker, WITHDRAWALS_EVERY_MS);
  const withdrawals = startJob({
    name: 'solana withdrawals',
    everyMs: rest.everyMs,
    log,
    step: async () => {
      await rest.look();
      if (!isReady() || !(await readMaySign(worker))('withdrawal')) return;
      if ((await sendWithdrawals(worker)) > 0) wakeFollow();
    },
  });
  const accounts = startJob({
    name: 'solana accounts',
    everyMs: ACCOUNTS_EVERY_MS,
    log,
    step: async () => {
      if (isReady() && (await releaseWaitingForAccounts(worker)) > 0) wakeEngine();
    },
  });
  const auditor = startJob({
    name: 'solana audit',
    everyMs: AUDIT_EVERY_MS,
    log,
    step: async () => {
      if (isReady()) await audit();
    },
  });
  const rounds = createTaskRounds(worker, { network: worker.profile.network, treasury: worker.treasury.address });
  const tasks = startJob({
    name: 'solana tasks',
    everyMs: rounds.everyMs,
    log,
    step: async () => {
      if (isReady() && sweptOf(worker).length > 0 && (await rounds.run()) > 0) wakeEngine();
    },
  });
  const solvency = startSolvencyCheck(worker, worker.profile.network, async () =>
    isReady() ? compareWithChain(worker) : null,
  );
  return [withdrawals, accounts, auditor, tasks, solvency];
}

/** Tells other processes that this network is scanned; rarely, because each beat is a write. */
function createBeat({ store, profile, now }: SolanaWorker): () => Promise<void> {
  let beatMs = 0;
  return async () => {
    if (now() - beatMs < BEAT_EVERY_MS) return;
    beatMs = now();
    await beat(store, `worker:${profile.network}`, { atMs: beatMs, detail: {} });
  };
}
