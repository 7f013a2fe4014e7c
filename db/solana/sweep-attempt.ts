import { and, eq, isNull } from 'drizzle-orm';
import type { Store } from '../store.ts';
import type { SweepRow } from '../tasks/sweeps.ts';
import { insertAttempt, type NewAttempt } from './attempts.ts';

/** Writes a sweep's transaction down before it is first sent. False, with nothing kept, when the sweep has moved on. */
export async function openSweepAttempt(
  store: Store,
  attempt: NewAttempt,
  { id, generation }: SweepRow,
  nonce: string,
  nowMs: number,
): Promise<boolean> {
  const { sweeps } = store.tables;
  return store.tx(async (db) => {
    const taken = await db
      .update(sweeps)
      .set({ status: 'broadcast', attemptId: attempt.id, nonce })
      .where(
        and(
          eq(sweeps.id, id),
          eq(sweeps.generation, generation),
          eq(sweeps.status, 'queued'),
          isNull(sweeps.attemptId),
        ),
      )
      .returning({ id: sweeps.id });
    if (taken.length === 0) return false;
    await insertAttempt(db, store, attempt, { kind: 'sweep', itemCount: 1, nowMs });
    return true;
  });
}
