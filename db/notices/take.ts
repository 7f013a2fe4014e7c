import { and, eq, gte, lt, lte } from 'drizzle-orm';
import type { NoticeKind } from '../../core/claims/claims.ts';
import type { Db, Store } from '../store/store.ts';
import type { DueChange } from './changes.ts';
import { waits, type DueNotice } from './due.ts';

export type TakenNotice = { identityId: string; kind: NoticeKind; untilMs: number; sentAtMs: number };

/**
 * Records a notice before it is sent: if this process ends in between, a mail is lost, but none is sent twice. Null
 * when another worker was first, or when nothing waits for the recipient any more.
 */
export async function takeNotice(store: Store, due: DueNotice, nowMs: number): Promise<TakenNotice | null> {
  const { identities, lines, payments } = store.tables;
  return store.tx(async (db) => {
    const [waiting] = await db
      .select({ txnId: lines.txnId })
      .from(identities)
      .innerJoin(lines, eq(lines.identityId, identities.id))
      .innerJoin(payments, eq(payments.id, lines.paymentId))
      .where(and(eq(identities.id, due.identityId), waits(store.tables, nowMs)))
      .limit(1);
    if (!waiting) return null;
    const { identityId, kind, untilMs } = due;
    return take(db, store, { identityId, kind, untilMs, sentAtMs: nowMs }, nowMs);
  });
}

/** The same for a change of address. Null also when it was stopped or replaced meanwhile. */
export async function takeChange(store: Store, due: DueChange, nowMs: number): Promise<TakenNotice | null> {
  const { walletChanges } = store.tables;
  const { identityId, untilMs } = due;
  return store.tx(async (db) => {
    const pending = and(eq(walletChanges.identityId, identityId), gte(walletChanges.effectiveAtMs, untilMs));
    const [change] = await db
      .select({ effectiveAtMs: walletChanges.effectiveAtMs })
      .from(walletChanges)
      .where(pending)
      .limit(1);
    if (change?.effectiveAtMs !== untilMs) return null;
    // A new change is notified although the notice of the one before has not ended yet.
    return take(db, store, { identityId, kind: 'address', untilMs, sentAtMs: nowMs }, untilMs - 1);
  });
}

/** Inserts the notice, or replaces one that ended by `overByMs`. */
async function take(db: Db, { tables }: Store, notice: TakenNotice, overByMs: number): Promise<TakenNotice | null> {
  const { notices } = tables;
  const { untilMs, sentAtMs } = notice;
  const taken = await db
    .insert(notices)
    .values(notice)
    .onConflictDoUpdate({
      target: [notices.identityId, notices.kind],
      set: { untilMs, sentAtMs },
      setWhere: and(lte(notices.untilMs, overByMs), lt(notices.untilMs, untilMs)),
    })
    .returning({ identityId: notices.identityId });
  return taken.length > 0 ? notice : null;
}

/** Certainly nothing was sent: the notice is due again after a while. */
export async function putOffNotice(store: Store, { identityId, kind, untilMs }: TakenNotice): Promise<void> {
  const { notices } = store.tables;
  await store.tx((db) =>
    db
      .update(notices)
      .set({ untilMs: 0 })
      .where(and(eq(notices.identityId, identityId), eq(notices.kind, kind), eq(notices.untilMs, untilMs))),
  );
}
