import type { PayoutItem } from '../../chain/solana/transactions/payout-transaction.ts';
import type { Opening } from '../../db/costs/openings.ts';
import type { TransferRow } from '../../db/payments/records/find.ts';
import { holdTransfer, postponeTransfers } from '../../db/transfers/authorize.ts';
import type { SolanaWorker } from '../dependencies.ts';

const RETRY_MS = 2_000;

/** A payout that may be sent now, and to which token account. */
export type Ready = { payout: TransferRow; item: PayoutItem; opening: Opening | null; exposed: boolean };

/** Puts off what cannot be sent now; the caller drops it from this round. */
export async function putOff(worker: SolanaWorker, companions: readonly Ready[], waitMs = RETRY_MS): Promise<string[]> {
  const ids = companions.map(({ payout }) => payout.id);
  await postponeTransfers(worker.store, ids, worker.now() + waitMs);
  return ids;
}

export async function hold(worker: SolanaWorker, payout: TransferRow, reason: string): Promise<void> {
  if (!(await holdTransfer(worker.store, payout.id, reason, worker.now()))) return;
  worker.log.warn({ payoutId: payout.id, reason }, 'payout is held');
}
