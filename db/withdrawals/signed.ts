import { and, eq, inArray, or } from 'drizzle-orm';
import { move } from '../store/move.ts';
import type { Store } from '../store/store.ts';

export type SignedWithdrawal = {
  /** That of the row while it is `requested`; one more when the one before is `dead`. */
  generation: number;
  /** On Base the authorization's, derived from id and generation; null on Solana. */
  nonce: string | null;
  /** On Base Unix seconds. On Solana the last block height, not slot, at which the transaction's blockhash is good. */
  validBefore: number;
  /** On Base the authorization's signature; on Solana the transaction in base64, without the fee payer's signature. */
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
  const { withdrawals } = store.tables;
  const isFirst = and(eq(withdrawals.status, 'requested'), eq(withdrawals.generation, generation));
  const isNext = and(eq(withdrawals.status, 'dead'), eq(withdrawals.generation, generation - 1));
  const moved = await store.tx((db) =>
    move(db, withdrawals, {
      from: ['requested', 'dead'],
      where: and(eq(withdrawals.id, id), or(isFirst, isNext)),
      set: { status: 'signed', generation, nonce, validBefore, signature, tries: 0, nextTryAtMs: 0 },
    }),
  );
  return moved.length > 0;
}

/** Could not be signed now: whatever else is to be signed comes first the next time. */
export async function putBehindOthers(store: Store, id: string, nowMs: number): Promise<void> {
  const { withdrawals } = store.tables;
  await store.tx((db) =>
    db
      .update(withdrawals)
      .set({ nextTryAtMs: nowMs })
      .where(and(eq(withdrawals.id, id), inArray(withdrawals.status, ['requested', 'dead']))),
  );
}
