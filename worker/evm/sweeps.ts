import { gasLimitFor } from '../../chain/evm/rpc/fees.ts';
import type { TaskSigner } from '../../chain/evm/task-address.ts';
import { readCursor } from '../../db/scan/cursor.ts';
import {
  assignedSweeps,
  assignSweep,
  planSweep,
  postponeSweep,
  queuedSweeps,
  type SweepRow,
} from '../../db/tasks/sweeps.ts';
import type { EvmWorker, Lane } from '../dependencies.ts';
import { SWEEP_MIN_MICRO_USDC } from '../tasks.ts';
import type { Composition } from './composition.ts';
import { recover } from './recover.ts';
import { toCall } from './transfer-call.ts';

type Hex = `0x${string}`;
/** As for payouts: long enough for any congestion, short enough to be renewed the same day. */
const SWEEP_VALID_SECONDS = 3_600;
const RETRY_MS = 2_000;

/**
 * Plans sweeps of what is at the task address and worth moving, and signs them. Each can land at most once, because its
 * nonce is derived from sweep and generation, and can only go to the treasury.
 */
export async function signSweeps(worker: EvmWorker): Promise<void> {
  const { store, profile, task, treasury, ids, now } = worker;
  if (!task) return;
  const { network } = profile;
  const place = { network, task: task.address, treasury: treasury.address };
  await planSweep(store, place, { id: ids.payoutId(), minMicroUsdc: SWEEP_MIN_MICRO_USDC, nowMs: now() });
  const queued = await queuedSweeps(store, network, now());
  if (queued.length === 0) return;
  const cursor = await readCursor(store, network);
  if (cursor === null) return;
  for (const sweep of queued) await signSweep(worker, task, sweep, cursor.blockTime + SWEEP_VALID_SECONDS);
}

async function signSweep(worker: EvmWorker, task: TaskSigner, sweep: SweepRow, validBefore: number): Promise<void> {
  const { id: sweepId, generation, amountMicroUsdc: value } = sweep;
  // The task key was replaced: money at the old address waits until that key is back.
  if (sweep.fromAddress !== task.address || sweep.toAddress !== worker.treasury.address) {
    worker.log.error({ sweepId, from: sweep.fromAddress }, 'the key of this sweep is not configured; it waits');
    return postponeSweep(worker.store, sweepId, worker.now() + RETRY_MS * 30);
  }
  const { authorization, signature } = await task.signSweep({ sweepId, generation, value, validBefore });
  await assignSweep(worker.store, sweep, { nonce: authorization.nonce, validBefore, signature });
}

/** A batch of its own: there is one sweep at a time. */
export async function composeSweeps(worker: EvmWorker, lane: Lane): Promise<Composition | null> {
  const [sweep] = await assignedSweeps(worker.store, worker.profile.network, worker.now());
  if (sweep === undefined) return null;
  const calls = [toCall(sweep)];
  const gasLimit = gasLimitFor(calls.length);
  const [result] = await worker.rpc.simulateBatch({ calls, from: lane.address, gasLimit });
  if (result?.success !== true && sweep.tries === 0) {
    await explain(worker, sweep);
    return null;
  }
  return { kind: 'sweep', itemIds: [sweep.id], calls, gasLimit };
}

/** Most obstacles pass (the token is paused), but the sweep may have landed without these books knowing. */
async function explain(worker: EvmWorker, sweep: SweepRow): Promise<void> {
  const { safe } = await worker.rpc.head();
  const key = keyOf(sweep);
  const [used] = await worker.rpc.authorizationStates([key], safe.number);
  if (used === true) await recover(worker, key, safe.number);
  await postponeSweep(worker.store, sweep.id, worker.now() + RETRY_MS);
  worker.log.warn({ sweepId: sweep.id }, 'sweep would fail; it waits');
}

function keyOf(sweep: SweepRow): { authorizer: Hex; nonce: Hex } {
  return { authorizer: sweep.fromAddress as Hex, nonce: sweep.nonce as Hex };
}
