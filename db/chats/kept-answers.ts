import { and, eq, gt, isNull, lte, or } from 'drizzle-orm';
import type { View } from '../../core/view.ts';
import type { Store } from '../store/store.ts';

export type KeptAnswer = { id: string; userId: string; view: View; untilMs: number };

/** Kept again under the same id, the newer one counts: a question has one answer. */
export async function keepAnswer(store: Store, { id, userId, view, untilMs }: KeptAnswer): Promise<void> {
  const { keptAnswers } = store.tables;
  await store.tx((db) =>
    db
      .insert(keptAnswers)
      .values({ id, userId, view, untilMs })
      .onConflictDoUpdate({ target: keptAnswers.id, set: { view, untilMs } }),
  );
}

/** The answer, once, for the person who asked; null for anyone else, and after its time. */
export async function takeAnswer(
  store: Store,
  taker: { id: string; userId: string; eventId: string; nowMs: number },
): Promise<View | null> {
  const { keptAnswers } = store.tables;
  const isTheirs = and(eq(keptAnswers.id, taker.id), eq(keptAnswers.userId, taker.userId));
  const isOpen = or(isNull(keptAnswers.takenByEvent), eq(keptAnswers.takenByEvent, taker.eventId));
  const [row] = await store.tx((db) =>
    db
      .update(keptAnswers)
      .set({ takenByEvent: taker.eventId })
      .where(and(isTheirs, isOpen, gt(keptAnswers.untilMs, taker.nowMs)))
      .returning({ view: keptAnswers.view }),
  );
  return row?.view ?? null;
}

/** The expired ones. */
export async function forgetAnswers(store: Store, nowMs: number): Promise<void> {
  const { keptAnswers } = store.tables;
  await store.tx((db) => db.delete(keptAnswers).where(lte(keptAnswers.untilMs, nowMs)));
}
