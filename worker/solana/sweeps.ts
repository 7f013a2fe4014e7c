import { signSweepTransaction } from '../../chain/solana/transactions/sweep-transaction.ts';
import { openTransfers } from '../../db/carriers/open-transaction.ts';
import type { TransferRow } from '../../db/payments/records/find.ts';
import { planSweep } from '../../db/tasks/sweeps.ts';
import { postponeTransfers } from '../../db/transfers/authorize.ts';
import { queuedTransfers } from '../../db/transfers/find.ts';
import type { SolanaWorker, TaskAccount } from '../dependencies.ts';
import { SWEEP_MIN_MICRO_USDC } from '../tasks.ts';
import { storeAndSend } from './send.ts';

const RETRY_MS = 2_000;
const FOREIGN_WAIT_MS = 60_000;
/** Of each address one is open at a time. */
const SWEEPS_MAX = 10;
/** A sweep opens no account, and no inbound funds it: what is booked at the address can no longer vanish. */
const NO_CAPS = { exposureCapMicroUsdc: 0n, accounts: null };

/**
 * Moves what is at the task address and worth moving to the treasury. A sweep is in one transaction at a time: the step
 * that stores the transaction takes it out of the queue, and it returns only when that transaction failed for good or
 * can never land. Answers how many were sent.
 */
export async function sendSweeps(worker: SolanaWorker): Promise<number> {
  const { store, profile, task, treasury, ids, now } = worker;
  if (!task) return 0;
  const { network } = profile;
  const place = { network, address: task.key.address, treasury: treasury.address };
  await planSweep(store, place, { id: ids.payoutId(), minMicroUsdc: SWEEP_MIN_MICRO_USDC, nowMs: now() });
  let sent = 0;
  const due = { network, kind: 'sweep' as const, nowMs: now(), limit: SWEEPS_MAX };
  for (const sweep of await queuedTransfers(store, due)) if (await sendSweep(worker, task, sweep)) sent += 1;
  return sent;
}

async function sendSweep(worker: SolanaWorker, task: TaskAccount, sweep: TransferRow): Promise<boolean> {
  const { store, profile, rpc, treasury, pace, ids, log, now } = worker;
  // The task key was replaced: money at the old address waits until that key is back.
  if (sweep.fromAddress !== task.key.address || sweep.toAddress !== treasury.address) {
    log.error({ sweepId: sweep.id, from: sweep.fromAddress }, 'the key of this sweep is not configured; it waits');
    await postponeTransfers(store, [sweep.id], now() + FOREIGN_WAIT_MS);
    return false;
  }
  const { blockhash, lastValidHeight } = await rpc.latestBlockhash();
  const carrierId = ids.carrierId();
  const signed = await signSweepTransaction({
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
    await postponeTransfers(store, [sweep.id], now() + RETRY_MS);
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
  const part = { ...sweep, nonce, exposed: false };
  await storeAndSend(worker, 'sweep', transaction, {
    open: (stored) => openTransfers(store, { ...stored, kind: 'sweep' }, [part], NO_CAPS, now()),
    opened: 'opened',
    sinceMs: now(),
  });
  return true;
}
