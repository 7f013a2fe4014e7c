import { payoutNonce } from '../chain/evm/nonces.ts';
import { transferTag } from '../chain/solana/messages/tags.ts';
import type { TransferRow } from '../db/payments/records/find.ts';
import { settlePaidBefore, type ChainNames } from '../db/operator/paid-before.ts';
import { FORMER_ADDRESS } from '../core/payments/former-address.ts';
import { holdTransfer, postponeTransfers } from '../db/transfers/authorize.ts';
import { unsweptPayouts } from '../db/rotations/unswept.ts';
import type { WorkerContext } from './dependencies.ts';

/** Those of the queued payouts that may be signed: the chain shows none of them, nor one that could be theirs. */
export async function withoutPaidBefore(
  { store, log, now }: Pick<WorkerContext, 'store' | 'log' | 'now'>,
  queued: readonly TransferRow[],
): Promise<TransferRow[]> {
  const settled = await settlePaidBefore(store, queued, chainNamesOf, now());
  for (const [payoutId, end] of settled) log.warn({ payoutId, end }, 'the chain may show that it has left before');
  return queued.filter(({ id }) => !settled.has(id));
}

/** What waits for a sweep can wait a little longer: until that is final takes minutes. */
const UNSWEPT_WAIT_MS = 3_000;

/**
 * Those of the queued payouts whose money is not at an address that was replaced: it is swept first. Where someone else
 * has taken it the operator decides.
 */
export async function withoutUnswept(
  { store, log, now }: Pick<WorkerContext, 'store' | 'log' | 'now'>,
  queued: readonly TransferRow[],
): Promise<TransferRow[]> {
  const found = await unsweptPayouts(store.read, store, queued);
  for (const [payoutId, end] of found) {
    if (end !== 'taken' || !(await holdTransfer(store, payoutId, FORMER_ADDRESS, now()))) continue;
    log.warn({ payoutId, reason: FORMER_ADDRESS }, 'payout is held');
  }
  const waiting = [...found].flatMap(([id, end]) => (end === 'unswept' ? [id] : []));
  await postponeTransfers(store, waiting, now() + UNSWEPT_WAIT_MS);
  return queued.filter(({ id }) => !found.has(id));
}

/** Of a payout, whichever network it leaves on. */
export function chainNamesOf(payoutId: string): ChainNames {
  return { nonce: payoutNonce(payoutId), tag: transferTag(payoutId) };
}
