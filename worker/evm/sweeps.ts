import type { TransferRow } from '../../db/payments/records/find.ts';
import { readCursor } from '../../db/scan/cursor.ts';
import { planSweep } from '../../db/tasks/sweeps.ts';
import { postponeTransfers } from '../../db/transfers/authorize.ts';
import { queuedTransfers } from '../../db/transfers/find.ts';
import type { EvmWorker } from '../dependencies.ts';
import { SWEEP_MIN_MICRO_USDC } from '../tasks.ts';
import { authorize } from './authorize.ts';

const FOREIGN_WAIT_MS = 60_000;
/** Of each address one is open at a time. */
const SWEEPS_MAX = 10;

/**
 * Plans sweeps of what is at the task address and worth moving, and signs them. They can only go to the treasury. One
 * whose task key was replaced waits at the old address until that key is back.
 */
export async function signSweeps(worker: EvmWorker): Promise<void> {
  const { store, profile, task, treasury, ids, log, now } = worker;
  if (!task) return;
  const { network } = profile;
  const place = { network, task: task.address, treasury: treasury.address };
  await planSweep(store, place, { id: ids.payoutId(), minMicroUsdc: SWEEP_MIN_MICRO_USDC, nowMs: now() });
  const queued = await queuedTransfers(store, { network, kind: 'sweep', nowMs: now(), limit: SWEEPS_MAX });
  if (queued.length === 0) return;
  const cursor = await readCursor(store, network);
  if (cursor === null) return;
  const isOurs = ({ fromAddress, toAddress }: TransferRow) =>
    fromAddress === task.address && toAddress === treasury.address;
  const foreign = queued.filter((sweep) => !isOurs(sweep));
  for (const { id: sweepId, fromAddress: from } of foreign)
    log.error({ sweepId, from }, 'the key of this sweep is not configured; it waits');
  const foreignIds = foreign.map(({ id }) => id);
  await postponeTransfers(store, foreignIds, now() + FOREIGN_WAIT_MS);
  // No inbound funds it: what is booked at the address can no longer vanish.
  const wanted = queued.filter(isOurs).map((transfer) => ({ transfer, exposed: false }));
  await authorize(worker, wanted, cursor);
}
