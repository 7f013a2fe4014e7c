import { signSweepTransaction } from '../../chain/solana/transactions/sweep-transaction.ts';
import { openSweep } from '../../db/carriers/open-transaction.ts';
import { planSweep, postponeSweep, queuedSweeps, type SweepRow } from '../../db/tasks/sweeps.ts';
import type { SolanaWorker, TaskAccount } from '../dependencies.ts';
import { SWEEP_MIN_MICRO_USDC } from '../tasks.ts';
import { storeAndSend } from './send.ts';

const RETRY_MS = 2_000;
const FOREIGN_WAIT_MS = 60_000;

/**
 * Moves what is at the task address and worth moving to the treasury. A sweep is in one transaction at a time: the step
 * that stores the transaction takes it out of the queue, and it returns only when that transaction failed for good or
 * can never land. Answers how many were sent.
 */
export async function sendSweeps(worker: SolanaWorker): Promise<number> {
  const { store, profile, task, treasury, ids, now } = worker;
  if (!task) return 0;
  const { network } = profile;
  const place = { network, task: task.key.address, treasury: treasury.address };
  await planSweep(store, place, { id: ids.payoutId(), minMicroUsdc: SWEEP_MIN_MICRO_USDC, nowMs: now() });
  let sent = 0;
  for (const sweep of await queuedSweeps(store, network, now())) if (await sendSweep(worker, task, sweep)) sent += 1;
  return sent;
}

async function sendSweep(worker: SolanaWorker, task: TaskAccount, sweep: SweepRow): Promise<boolean> {
  const { store, profile, rpc, treasury, pace, ids, log, now } = worker;
  // The task key was replaced: money at the old address waits until that key is back.
  if (sweep.fromAddress !== task.key.address || sweep.toAddress !== treasury.address) {
    log.error({ sweepId: sweep.id, from: sweep.fromAddress }, 'the key of this sweep is not configured; it waits');
    await postponeSweep(store, sweep.id, now() + FOREIGN_WAIT_MS);
    return false;
  }
  const { blockhash, lastValidHeight } = await rpc.latestBlockhash();
  const carrierId = ids.carrierId();
  const signed = signSweepTransaction({
    task: task.key,
    treasury,
    profile,
    amount: sweep.amountMicroUsdc,
    carrierId,
    blockhash,
    // Each death doubles the price, so that a price that was too low does not stay so.
    microLamportsPerUnit: pace.microLamportsPerUnit * 2 ** Math.min(sweep.generation, 6),
  });
  // The bytes have not left this process yet, so a transaction that would fail is dropped.
  const simulated = await rpc.simulate(signed.wire);
  if (!simulated.ok) {
    log.warn({ sweepId: sweep.id, reason: simulated.reason }, 'sweep would fail; it waits');
    await postponeSweep(store, sweep.id, now() + RETRY_MS);
    return false;
  }
  const { wire, signature, nonce } = signed;
  const transaction = {
    id: carrierId,
    network: profile.network,
    signed: { hash: signature, bytes: wire },
    sender: treasury.address,
    lastValidHeight,
  };
  return storeAndSend(worker, 'sweep', transaction, {
    open: (stored) => openSweep(store, stored, sweep, nonce, now()),
    opened: true,
  });
}
