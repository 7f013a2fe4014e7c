import { eq } from 'drizzle-orm';
import { returnedBecause } from '../../core/payments/returned-because.ts';
import type { ReturnedBecause } from '../../core/states.ts';
import type { LineRow } from '../payments/records/find.ts';
import type { Store } from '../store/store.ts';

/** Whether the recipient collected the line: a claim released it. */
export async function wasCollected(store: Store, txnId: number): Promise<boolean> {
  const { claimLines } = store.tables;
  const [row] = await store.read
    .select({ claimId: claimLines.claimId })
    .from(claimLines)
    .where(eq(claimLines.txnId, txnId))
    .limit(1);
  return row !== undefined;
}

/** Why a line's money went back; null where nothing tells. */
export async function whyReturned(
  store: Store,
  line: Pick<LineRow, 'txnId' | 'returnReason' | 'expiresAtMs'>,
): Promise<ReturnedBecause | null> {
  const { refunds } = store.tables;
  const [refund] = await store.read
    .select({ createdAtMs: refunds.createdAtMs })
    .from(refunds)
    .where(eq(refunds.txnId, line.txnId));
  return returnedBecause(line, refund?.createdAtMs ?? null);
}
