import { and, desc, eq, gt } from 'drizzle-orm';
import type { Store } from '../../store/store.ts';

/** When this payer's payments for one request began that came to nothing, newest first. */
export async function refusedTries(
  { read, tables: { payments } }: Store,
  { payer, requestHash, sinceMs }: { payer: string; requestHash: string; sinceMs: number },
  limit: number,
): Promise<number[]> {
  const rows = await read
    .select({ createdAtMs: payments.createdAtMs })
    .from(payments)
    .where(
      and(
        eq(payments.payer, payer),
        eq(payments.requestHash, requestHash),
        gt(payments.createdAtMs, sinceMs),
        eq(payments.status, 'rejected'),
      ),
    )
    .orderBy(desc(payments.createdAtMs))
    .limit(limit);
  return rows.map(({ createdAtMs }) => createdAtMs);
}
