import { signSweepTransaction } from '../../chain/solana/transactions/sweep-transaction.ts';
import { openSweep } from '../../db/carriers/open-transaction.ts';
import { planSweep, postponeSweep, queuedSweeps, type SweepRow } from '../../db/tasks/sweeps.ts';
import type { SolanaWorker, TaskAccount } from '../dependencies.ts';
import { SWEEP_MIN_MICRO_USDC } from '../tasks.ts';
import { storeAndSend } from './send.ts';

const RETRY_MS = 2_000;
const FOREIGN_WAIT_MS = 60_000;

/**
 * Moves what lies at the task address and is worth moving to the treasury. A sweep is in one transaction at a time: it is
 * taken out of the queue in the step that stores it, and comes back only when that one has failed for good or can
 * never land. Answers how many were sent.
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
  // A key that was replaced: what lies at its address waits until it is back.
  if (sweep.fromAddress !== task.key.address || sweep.toAddress !== treasury.address) {
    log.error(
      { sweepId: sweep.id, from: sweep.fromAddress },
      'a sweep is of an address whose key is not here; it waits',
    );
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
    // Each death doubles the price: what was too cheap to be taken must not stay so.
    microLamportsPerUnit: pace.microLamportsPerUnit * 2 ** Math.min(sweep.generation, 6),
  });
  // Nobody but us has these bytes yet: what would fail is forgotten.
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
