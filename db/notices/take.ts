import { and, eq, gte, lt, lte } from 'drizzle-orm';
import type { NoticeKind } from '../../core/claims/claims.ts';
import type { Db, Store } from '../store/store.ts';
import { giveDailyMailBack, takeDailyMail, type MailsDaily } from '../costs/mails.ts';
import type { DueChange } from './changes.ts';
import { waits, type DueNotice } from './due.ts';

export type TakenNotice = { identityId: string; kind: NoticeKind; untilMs: number; sentAtMs: number };

/** `dailyMax`: mails of all kinds in a day. */
type Now = { dailyMax: MailsDaily; nowMs: number };

/**
 * Records a notice before it is sent: if this process ends in between, a mail is lost, but none is sent twice. Null
 * when another worker was first, when nothing waits for the recipient any more, or when the day has no mail left.
 */
export async function takeNotice(store: Store, due: DueNotice, { dailyMax, nowMs }: Now): Promise<TakenNotice | null> {
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
    return take(db, store, { identityId, kind, untilMs, sentAtMs: nowMs }, { dailyMax, nowMs, overByMs: nowMs });
  });
}

/** The same for a change of address. Null also when it was stopped or replaced meanwhile. */
export async function takeChange(store: Store, due: DueChange, { dailyMax, nowMs }: Now): Promise<TakenNotice | null> {
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
    const taken = { identityId, kind: 'address', untilMs, sentAtMs: nowMs } as const;
    return take(db, store, taken, { dailyMax, nowMs, overByMs: untilMs - 1 });
  });
}

const shareOf = (kind: NoticeKind) => (kind === 'address' ? 'change' : 'notice');

/** Inserts the notice, or replaces one that ended by `overByMs`. */
async function take(
  db: Db,
  store: Store,
  notice: TakenNotice,
  { dailyMax, nowMs, overByMs }: Now & { overByMs: number },
): Promise<TakenNotice | null> {
  const { notices } = store.tables;
  const { kind, untilMs, sentAtMs } = notice;
  const share = shareOf(kind);
  if (!(await takeDailyMail(db, store, { share }, dailyMax, nowMs))) return null;
  const taken = await db
    .insert(notices)
    .values(notice)
    .onConflictDoUpdate({
      target: [notices.identityId, notices.kind],
      set: { untilMs, sentAtMs },
      setWhere: and(lte(notices.untilMs, overByMs), lt(notices.untilMs, untilMs)),
    })
    .returning({ identityId: notices.identityId });
  if (taken.length > 0) return notice;
  await giveDailyMailBack(db, store, share, nowMs);
  return null;
}

/** Certainly nothing was sent: the notice is due again after a while. */
export async function putOffNotice(store: Store, { identityId, kind, untilMs, sentAtMs }: TakenNotice): Promise<void> {
  const { notices } = store.tables;
  await store.tx(async (db) => {
    await db
      .update(notices)
      .set({ untilMs: 0 })
      .where(and(eq(notices.identityId, identityId), eq(notices.kind, kind), eq(notices.untilMs, untilMs)));
    await giveDailyMailBack(db, store, shareOf(kind), sentAtMs);
  });
}
