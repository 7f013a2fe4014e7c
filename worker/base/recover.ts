import { authorizationHistory } from '../../chain/base/authorization-history.ts';
import { applyMissedTransfer } from '../../db/scan/apply.ts';
import { isReturned } from '../../db/refunds/return-transfer.ts';
import type { BaseWorker } from '../dependencies.ts';
import { settleOptions } from './settle-options.ts';

type Hex = `0x${string}`;
/** Three hours of Base: far more than any authorization of ours or of a payer lives. */
const HISTORY_BLOCKS = 5_400;

export type Recovery = 'taken' | 'spent' | 'unknown';

/**
 * An authorization is used on the chain, and no transfer of it was seen. The chain is asked for it by name: a transfer
 * that the scan was not shown is taken into the books now; only a trace of another end proves that there is none.
 */
export async function recover(
  worker: BaseWorker,
  key: { authorizer: Hex; nonce: Hex },
  toBlock: number,
): Promise<Recovery> {
  const fromBlock = Math.max(0, toBlock - HISTORY_BLOCKS);
  const history = await authorizationHistory(worker.rpc, worker.profile, key, { fromBlock, toBlock });
  if (history.kind !== 'transfer') return history.kind;
  const { transfer, blockTime } = history;
  const touchesUs = worker.ownAddresses.some((address) => address === transfer.from || address === transfer.to);
  if (!touchesUs) return 'spent';
  const { network } = worker.profile;
  const seen = { network, transfer, blockTime, ownAddresses: worker.ownAddresses };
  const result = await applyMissedTransfer(worker.store, seen, settleOptions(worker));
  worker.log.warn({ transaction: transfer.transaction }, 'a transfer that the scan was not shown is in the books now');
  worker.announce(result.changedPayments);
  if (result.changedPayments.length + result.changedPayouts.length > 0) return 'taken';
  // Taken, and on its way back: another amount, or landed before it was presented. Anything else is not understood.
  return (await isReturned(worker.store, key)) ? 'spent' : 'unknown';
}
