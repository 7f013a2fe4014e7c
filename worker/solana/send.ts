import type { PayoutItem } from '../../chain/solana/transactions/payout-transaction.ts';
import type { Passage } from '../../core/failpoints.ts';
import type { CarrierKind } from '../../core/transfers/carriers.ts';
import type { NewTransaction } from '../../db/carriers/open-transaction.ts';
import type { Opening } from '../../db/costs/openings.ts';
import type { TransferRow } from '../../db/payments/records/find.ts';
import { holdTransfer, postponeTransfers } from '../../db/transfers/authorize.ts';
import type { SolanaWorker } from '../dependencies.ts';

type Sending<Opened, Other> = Pick<Passage, 'sinceMs' | 'payments' | 'transfers'> & {
  open: (transaction: NewTransaction) => Promise<Opened | Other>;
  opened: Opened;
};

/**
 * Sends a signed transaction for the first time. The order never changes: `open` stores the bytes with what they carry,
 * then they are sent. Where it does not answer `opened`, nothing was stored and the bytes are dropped.
 */
export async function storeAndSend<const Opened, Other>(
  { settings, failpoint, rpc }: SolanaWorker,
  kind: CarrierKind,
  transaction: NewTransaction,
  { open, opened, ...items }: Sending<Opened, Other>,
): Promise<Opened | Other> {
  const point = settings.carriers[kind].failpoint;
  const passage = { network: transaction.network, carrier: transaction.id, ...items };
  failpoint(`${point}.before-store`, passage);
  const result = await open(transaction);
  if (result !== opened) return result;
  failpoint(`${point}.after-store`, passage);
  await rpc.sendRaw(transaction.signed.bytes);
  failpoint(`${point}.after-send`, passage);
  return result;
}

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
