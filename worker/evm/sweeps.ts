import type { TaskSigner } from '../../chain/evm/task-address.ts';
import type { TransferRow } from '../../db/payments/records/find.ts';
import { readCursor } from '../../db/scan/cursor.ts';
import { planSweep } from '../../db/tasks/sweeps.ts';
import { assignTransfers, postponeTransfers } from '../../db/transfers/authorize.ts';
import { exposureCounter } from '../../db/transfers/exposure.ts';
import { queuedTransfers } from '../../db/transfers/find.ts';
import type { EvmWorker } from '../dependencies.ts';
import { SWEEP_MIN_MICRO_USDC } from '../tasks.ts';

/** As for payouts: long enough for any congestion, short enough to be renewed the same day. */
const SWEEP_VALID_SECONDS = 3_600;
const FOREIGN_WAIT_MS = 60_000;
/** Of each address one is open at a time. */
const SWEEPS_MAX = 10;

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
  const queued = await queuedTransfers(store, { network, kind: 'sweep', nowMs: now(), limit: SWEEPS_MAX });
  if (queued.length === 0) return;
  const cursor = await readCursor(store, network);
  if (cursor === null) return;
  for (const sweep of queued) await signSweep(worker, task, sweep, cursor.blockTime + SWEEP_VALID_SECONDS);
}

async function signSweep(worker: EvmWorker, task: TaskSigner, sweep: TransferRow, validBefore: number): Promise<void> {
  const { id: sweepId, generation, amountMicroUsdc: value } = sweep;
  // The task key was replaced: money at the old address waits until that key is back.
  if (sweep.fromAddress !== task.address || sweep.toAddress !== worker.treasury.address) {
    worker.log.error({ sweepId, from: sweep.fromAddress }, 'the key of this sweep is not configured; it waits');
    return postponeTransfers(worker.store, [sweepId], worker.now() + FOREIGN_WAIT_MS);
  }
  const { authorization, signature } = await task.signSweep({ sweepId, generation, value, validBefore });
  const signed = { id: sweepId, generation, amountMicroUsdc: value, validBefore, signature };
  // No inbound funds it: what is booked at the address can no longer vanish.
  const one = { ...signed, nonce: authorization.nonce, exposed: false };
  const exposure = { counter: exposureCounter(sweep.network), capMicroUsdc: 0n };
  await assignTransfers(worker.store, [one], exposure, worker.now());
}
