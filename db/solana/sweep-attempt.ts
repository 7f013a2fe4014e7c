import { and, eq, isNull } from 'drizzle-orm';
import { move } from '../move.ts';
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
    const taken = await move(db, sweeps, {
      from: ['queued'],
      where: and(eq(sweeps.id, id), eq(sweeps.generation, generation), isNull(sweeps.attemptId)),
      set: { status: 'broadcast', attemptId: attempt.id, nonce },
    });
    if (taken.length === 0) return false;
    await insertAttempt(db, store, attempt, { kind: 'sweep', itemCount: 1, nowMs });
    return true;
  });
}
