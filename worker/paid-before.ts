import { payoutNonce } from '../chain/evm/nonces.ts';
import { transferTag } from '../chain/solana/messages/tags.ts';
import type { TransferRow } from '../db/payments/records/find.ts';
import { settlePaidBefore, type ChainNames } from '../db/operator/paid-before.ts';
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

/** Of a payout, whichever network it leaves on. */
export function chainNamesOf(payoutId: string): ChainNames {
  return { nonce: payoutNonce(payoutId), tag: transferTag(payoutId) };
}
