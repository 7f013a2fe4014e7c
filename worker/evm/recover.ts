import { authorizationHistory, type AuthorizationHistory } from '../../chain/evm/authorization-history.ts';
import { applyTransfers } from '../../db/scan/apply.ts';
import { isReturned } from '../../db/refunds/return-transfer.ts';
import type { EvmWorker } from '../dependencies.ts';
import { settleOptions } from '../settle-options.ts';

type Hex = `0x${string}`;
/** Blocks asked for at once: half an hour of Base, which providers answer for one authorization. */
const CHUNK_BLOCKS = 900;
/** An hour and a half: longer than any authorization of ours or of a payer lives and takes to become final. */
const CHUNKS_MAX = 3;

export type Recovery = 'taken' | 'spent' | 'unknown';

/**
 * An authorization is used on the chain, and no transfer of it was seen. The chain is asked for it by name: a transfer
 * that the scan was not shown is taken into the books now; only a trace of another end proves that there is none.
 */
export async function recover(
  worker: EvmWorker,
  key: { authorizer: Hex; nonce: Hex },
  toBlock: number,
): Promise<Recovery> {
  const history = await lookBack(worker, key, toBlock);
  if (history.kind !== 'transfer') return history.kind;
  const { transfer } = history;
  const touchesUs = worker.ownAddresses.some((address) => address === transfer.from || address === transfer.to);
  if (!touchesUs) return 'spent';
  const { network } = worker.profile;
  const seen = { network, transfers: [transfer], ownAddresses: worker.ownAddresses };
  const result = await applyTransfers(worker.store, seen, settleOptions(worker));
  worker.log.warn({ transaction: transfer.transaction }, 'a transfer that the scan was not shown is in the books now');
  worker.announce(result.changedPayments);
  const { changedPayments, changedPayouts, changedSweeps } = result;
  if (changedPayments.length + changedPayouts.length + changedSweeps.length > 0) return 'taken';
  // Taken, and on its way back: another amount, or landed before it was presented. Anything else is not understood.
  return (await isReturned(worker.store, key)) ? 'spent' : 'unknown';
}

/** From the newest blocks to older ones, because what is asked about has usually just happened. */
async function lookBack(
  worker: EvmWorker,
  key: { authorizer: Hex; nonce: Hex },
  toBlock: number,
): Promise<AuthorizationHistory> {
  for (let chunk = 0; chunk < CHUNKS_MAX; chunk += 1) {
    const newest = toBlock - chunk * CHUNK_BLOCKS;
    if (newest < 0) break;
    const range = { fromBlock: Math.max(0, newest - CHUNK_BLOCKS + 1), toBlock: newest };
    const history = await authorizationHistory(worker.rpc, worker.profile, key, range);
    if (history.kind !== 'unknown') return history;
  }
  return { kind: 'unknown' };
}
