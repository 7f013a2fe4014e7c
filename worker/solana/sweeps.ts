import { signSweepTransaction, type SignedSweepAttempt } from '../../chain/solana/transactions/sweep-transaction.ts';
import { SignerAway } from '../../chain/signing/kms/away.ts';
import { FORMER_SWEEP_MIN_MICRO_USDC } from '../../core/payments/former-address.ts';
import { openTransfers } from '../../db/carriers/open-transaction.ts';
import type { TransferRow } from '../../db/payments/records/find.ts';
import { planSweep } from '../../db/tasks/sweeps.ts';
import { noteStuck, noteSweepFailed } from '../../db/rotations/stuck.ts';
import { postponeTransfers } from '../../db/transfers/authorize.ts';
import { queuedTransfers } from '../../db/transfers/find.ts';
import { redirectSweeps, voidSweeps } from '../../db/transfers/former.ts';
import { sweptOf, type SolanaWorker, type SweptAccount } from '../dependencies.ts';
import { SWEEP_MIN_MICRO_USDC } from '../tasks.ts';
import { storeAndSend } from './send.ts';

const RETRY_MS = 2_000;
/** A sweep whose key is not here, or does not sign. */
const KEYLESS_WAIT_MS = 60_000;
/** Of each address one is open at a time. */
const SWEEPS_MAX = 40;
/** A sweep opens no account, and no inbound funds it: what is booked at the address can no longer vanish. */
const NO_CAPS = { exposureCapMicroUsdc: 0n, accounts: null };

/**
 * Moves what is at the task address and worth moving, and what is at former ones, to the treasury. A sweep is in one transaction
 * at a time: the step that stores the transaction takes it out of the queue, and it returns only when that transaction failed for
 * good or can never land. Answers how many were sent.
 */
export async function sendSweeps(worker: SolanaWorker): Promise<number> {
  const { store, profile, task, treasury, ids, now } = worker;
  const swept = sweptOf(worker);
  if (swept.length === 0) return 0;
  const { network } = profile;
  await mendSweeps(worker);
  for (const { key } of swept) {
    const isReplaced = key.address !== task?.key.address;
    const minMicroUsdc = isReplaced ? FORMER_SWEEP_MIN_MICRO_USDC : SWEEP_MIN_MICRO_USDC;
    const place = { network, address: key.address, treasury: treasury.address };
    await planSweep(store, place, { id: ids.payoutId(), minMicroUsdc, isReplaced, nowMs: now() });
  }
  let sent = 0;
  const due = { network, kind: 'sweep' as const, nowMs: now(), limit: SWEEPS_MAX };
  for (const sweep of await queuedTransfers(store, due)) if (await sendSweep(worker, swept, sweep)) sent += 1;
  return sent;
}

/**
 * Those that were planned for a treasury which was replaced go to its successor; those of former addresses that move more than
 * there is by now are ended. What is queued has no transaction that could land.
 */
async function mendSweeps({ store, profile, treasury, formers = [], log }: SolanaWorker): Promise<void> {
  if (formers.length === 0) return;
  const { network } = profile;
  const from = formers.map(({ key }) => key.address);
  await redirectSweeps(store, { network, from, to: treasury.address });
  const ended = await voidSweeps(store, { network, from, spent: [] });
  if (ended > 0) log.warn({ network, sweeps: ended }, 'sweeps of former addresses can never land; others are planned');
}

async function sendSweep(worker: SolanaWorker, swept: readonly SweptAccount[], sweep: TransferRow): Promise<boolean> {
  const { store, profile, rpc, treasury, ids, log, now } = worker;
  const owner = swept.find(({ key }) => key.address === sweep.fromAddress);
  if (owner === undefined || sweep.toAddress !== treasury.address) {
    log.error({ sweepId: sweep.id, from: sweep.fromAddress }, 'the key of this sweep is not configured; it waits');
    await postponeTransfers(store, [sweep.id], now() + KEYLESS_WAIT_MS);
    return false;
  }
  const { blockhash, lastValidHeight } = await rpc.latestBlockhash();
  const carrierId = ids.carrierId();
  const signed = await signOne(worker, owner, sweep, { carrierId, blockhash });
  if (signed === null) return false;
  // The bytes have not left this process yet, so a transaction that would fail is dropped.
  const simulated = await rpc.simulate(signed.wire);
  if (!simulated.ok) {
    log.warn({ sweepId: sweep.id, reason: simulated.reason }, 'sweep would fail; it waits');
    await postponeTransfers(store, [sweep.id], now() + RETRY_MS);
    await lookIfStuck(worker, owner, simulated.reason === 'failed');
    return false;
  }
  if (isFormer(worker, owner)) await noteStuck(store, { network: profile.network, address: owner.key.address }, false);
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

const isFormer = ({ formers = [] }: SolanaWorker, { key }: SweptAccount) =>
  formers.some((former) => former.key.address === key.address);

/** Who knows a former key can give its token account to someone else, also for a moment only; the issuer can freeze it. */
async function lookIfStuck(worker: SolanaWorker, owner: SweptAccount, hasFailed: boolean): Promise<void> {
  if (!isFormer(worker, owner)) return;
  const { store, rpc, profile, log, now } = worker;
  const { address } = owner.key;
  const place = { network: profile.network, address };
  if (hasFailed) await store.tx((db) => noteSweepFailed(db, store.tables, place, now()));
  const [view] = await rpc.tokenAccounts([owner.account]);
  if (view?.kind !== 'usdc' || (view.owner === address && !view.frozen)) return;
  log.warn({ former: address, owner: view.owner, frozen: view.frozen }, 'nobody here can move what is there');
  await noteStuck(store, place, true);
}

/** Null where a key does not sign now: it keeps none of the others from it. */
async function signOne(
  { store, profile, treasury, pace, log, now }: SolanaWorker,
  { key }: SweptAccount,
  sweep: TransferRow,
  place: { carrierId: string; blockhash: string },
): Promise<SignedSweepAttempt | null> {
  try {
    return await signSweepTransaction({
      owner: key,
      treasury,
      profile,
      amount: sweep.amountMicroUsdc,
      ...place,
      // Each death doubles the price, so that a price that was too low does not stay so.
      microLamportsPerUnit: pace.microLamportsPerUnit * 2 ** Math.min(sweep.generation, 6),
    });
  } catch (error) {
    if (!(error instanceof SignerAway)) throw error;
    log.warn({ sweepId: sweep.id, from: sweep.fromAddress, err: error }, 'the key of this sweep is away; it waits');
    await postponeTransfers(store, [sweep.id], now() + KEYLESS_WAIT_MS);
    return null;
  }
}
