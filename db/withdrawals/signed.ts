import { and, eq } from 'drizzle-orm';
import { signingTx } from '../processes/signing.ts';
import { move, moveSigned } from '../store/move.ts';
import type { Store } from '../store/store.ts';
import { isOfKind } from '../transfers/find.ts';

export type SignedWithdrawal = {
  /** 0, and one more after each that is dead. */
  generation: number;
  /** On EVM networks the authorization's, derived from id and generation; null on Solana. */
  nonce: string | null;
  /** On EVM networks Unix seconds. On Solana the last block height, not slot, at which the blockhash is good. */
  validBefore: number;
  /** On EVM networks the authorization's signature; on Solana the transaction in base64, without the fee payer's signature. */
  signature: string;
};

/**
 * Stores what the wallet's key has signed, before it is first sent. Signing again is allowed only when the generation
 * before is provably dead, so that no two generations can ever land. False when the row is in another state: then the
 * signature must be dropped.
 */
export async function markWithdrawalSigned(
  store: Store,
  id: string,
  { generation, nonce, validBefore, signature }: SignedWithdrawal,
): Promise<boolean> {
  const { transfers, walletWithdrawals } = store.tables;
  const isIt = and(eq(transfers.id, id), isOfKind(store.tables, 'withdrawal'), eq(transfers.generation, generation));
  return signingTx(store, { under: null, carrier: null }, async (db) => {
    const assigned = await moveSigned(db, transfers, {
      from: ['queued'],
      where: isIt,
      set: { status: 'assigned', nonce, validBefore, signature, tries: 0, nextTryAtMs: 0, heldReason: null },
    });
    if (assigned.length === 0) return false;
    // Nothing moves where an earlier generation was signed before.
    await move(db, walletWithdrawals, {
      from: ['requested'],
      where: eq(walletWithdrawals.id, id),
      set: { status: 'leaving' },
    });
    return true;
  });
}

/** Could not be signed now: whatever else is to be signed comes first the next time. */
export async function putBehindOthers(store: Store, id: string, nowMs: number): Promise<void> {
  const { transfers } = store.tables;
  const isWaiting = and(eq(transfers.id, id), isOfKind(store.tables, 'withdrawal'), eq(transfers.status, 'queued'));
  await store.tx((db) => db.update(transfers).set({ nextTryAtMs: nowMs }).where(isWaiting));
}
