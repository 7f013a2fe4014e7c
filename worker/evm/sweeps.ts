import { sweepNonce } from '../../chain/evm/nonces.ts';
import { SignerAway } from '../../chain/signing/kms/away.ts';
import { FORMER_SWEEP_MIN_MICRO_USDC } from '../../core/payments/former-address.ts';
import type { TransferRow } from '../../db/payments/records/find.ts';
import { readCursor } from '../../db/scan/cursor.ts';
import { planSweep } from '../../db/tasks/sweeps.ts';
import { postponeTransfers } from '../../db/transfers/authorize.ts';
import { queuedTransfers } from '../../db/transfers/find.ts';
import { redirectSweeps, voidSweeps } from '../../db/transfers/former.ts';
import { sweptOf, type EvmWorker } from '../dependencies.ts';
import { SWEEP_MIN_MICRO_USDC } from '../tasks.ts';
import { authorize } from './authorize.ts';

type Hex = `0x${string}`;

/** A sweep whose key is not here, or does not sign. */
const KEYLESS_WAIT_MS = 60_000;
/** Of each address one is open at a time. */
const SWEEPS_MAX = 40;

/**
 * Plans sweeps of what is at the task address and worth moving, and of what is at former ones, and signs them.
 * They can only go to the treasury.
 */
export async function signSweeps(worker: EvmWorker): Promise<void> {
  const { store, profile, task, treasury, ids, log, now } = worker;
  const swept = sweptOf(worker);
  if (swept.length === 0) return;
  const { network } = profile;
  await mendSweeps(worker);
  for (const { address } of swept) {
    const isReplaced = address !== task?.address;
    const minMicroUsdc = isReplaced ? FORMER_SWEEP_MIN_MICRO_USDC : SWEEP_MIN_MICRO_USDC;
    const place = { network, address, treasury: treasury.address };
    await planSweep(store, place, { id: ids.payoutId(), minMicroUsdc, isReplaced, nowMs: now() });
  }
  const queued = await queuedTransfers(store, { network, kind: 'sweep', nowMs: now(), limit: SWEEPS_MAX });
  if (queued.length === 0) return;
  const cursor = await readCursor(store, network);
  if (cursor === null) return;
  const isOurs = ({ fromAddress, toAddress }: TransferRow) =>
    swept.some(({ address }) => address === fromAddress) && toAddress === treasury.address;
  const foreign = queued.filter((sweep) => !isOurs(sweep));
  for (const { id: sweepId, fromAddress: from } of foreign)
    log.error({ sweepId, from }, 'the key of this sweep is not configured; it waits');
  const foreignIds = foreign.map(({ id }) => id);
  await postponeTransfers(store, foreignIds, now() + KEYLESS_WAIT_MS);
  for (const sweep of queued.filter(isOurs)) await signOne(worker, sweep, cursor);
}

/** Those that were planned for a treasury which was replaced go to its successor; those that can never land are ended. */
async function mendSweeps({ store, rpc, profile, treasury, formers = [], log, now }: EvmWorker): Promise<void> {
  if (formers.length === 0) return;
  const { network } = profile;
  const from = formers.map(({ address }) => address);
  await redirectSweeps(store, { network, from, to: treasury.address });
  const queued = await queuedTransfers(store, { network, kind: 'sweep', nowMs: now(), limit: SWEEPS_MAX });
  // A nonce is random, so nobody knew it before it was sent.
  const sent = queued.filter(
    ({ fromAddress, generation }) => generation > 0 && from.some((one) => one === fromAddress),
  );
  const keys = sent.map(({ id, fromAddress }) => ({ authorizer: fromAddress as Hex, nonce: sweepNonce(id) }));
  const used = sent.length === 0 ? [] : await rpc.authorizationStates(keys, (await rpc.head()).finalized.number);
  const spent = sent.filter((_sweep, index) => used[index] === true).map(({ id }) => id);
  const ended = await voidSweeps(store, { network, from, spent });
  if (ended > 0) log.warn({ network, sweeps: ended }, 'sweeps of former addresses can never land; others are planned');
}

/** A key that does not sign keeps none of the others from it. */
async function signOne(worker: EvmWorker, sweep: TransferRow, cursor: { blockTime: number }): Promise<void> {
  const { store, log, now } = worker;
  try {
    // No inbound funds it: what is swept can no longer vanish.
    await authorize(worker, [{ transfer: sweep, exposed: false }], cursor);
  } catch (error) {
    if (!(error instanceof SignerAway)) throw error;
    log.warn({ sweepId: sweep.id, from: sweep.fromAddress, err: error }, 'the key of this sweep is away; it waits');
    await postponeTransfers(store, [sweep.id], now() + KEYLESS_WAIT_MS);
  }
}
