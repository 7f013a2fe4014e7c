import { formatUsdc, microUsdc } from '../../../core/money.ts';
import type { SeenTransfer } from '../../../db/tasks/find.ts';
import type { OfferRow, TaskRow } from '../../../db/tasks/open.ts';
import type { TransactionTransfers } from '../../transfers/transfer-reader.ts';

/** Why a transaction does not pay for a task, in a stable word and a sentence; null when it does, once it is safe. */
export type TransferReason = { reason: string; detail: string };

type Landed = Extract<TransactionTransfers, { kind: 'found' }>;

/**
 * Says what is wrong with a landed transaction. It decides nothing, because the books decide which transfer paid a
 * task; it only tells the caller why waiting is in vain.
 */
export function whyNot(
  task: Pick<TaskRow, 'memo'>,
  offer: OfferRow,
  landed: Landed,
  seen: readonly SeenTransfer[],
): TransferReason | null {
  if (landed.failed) return { reason: 'transaction_failed', detail: 'This transaction failed and moved nothing.' };
  if (landed.transfers.length === 0) {
    return { reason: 'wrong_token', detail: 'This transaction brought no USDC to the recipient of the task.' };
  }
  const here = landed.transfers.filter(({ to }) => to.toLowerCase() === offer.address.toLowerCase());
  if (here.length === 0) {
    return { reason: 'wrong_recipient', detail: `The USDC of this transaction did not go to ${offer.address}.` };
  }
  const wanted = landed.memo === task.memo ? [offer.amountMicroUsdc, offer.priceMicroUsdc] : [offer.amountMicroUsdc];
  const fitting = here.filter(({ amountMicroUsdc }) => wanted.includes(amountMicroUsdc));
  if (fitting.length === 0) {
    const came = here.map(({ amountMicroUsdc }) => formatUsdc(microUsdc(amountMicroUsdc))).join(', ');
    const amount = formatUsdc(microUsdc(offer.amountMicroUsdc));
    return { reason: 'wrong_amount', detail: `The task asks for exactly ${amount} USDC, found ${came}.` };
  }
  if (landed.block <= offer.headBlock) {
    return { reason: 'transaction_too_old', detail: 'This transaction was there before the task was opened.' };
  }
  if (landed.memo !== task.memo && offer.untilBlock !== null && landed.block > offer.untilBlock) {
    const detail = 'This transaction came after the task expired, when its amount was another task’s. It is returned.';
    return { reason: 'transaction_too_late', detail };
  }
  const mine = seen.filter(({ amountMicroUsdc }) => wanted.includes(amountMicroUsdc));
  const isUsed = mine.length > 0 && mine.every(({ consumedBy }) => consumedBy !== null);
  return isUsed
    ? { reason: 'transaction_already_used', detail: 'This transaction has paid for something else.' }
    : null;
}
