import { and, eq, gt, inArray } from 'drizzle-orm';
import { refundWithin } from '../refunds/refund-line.ts';
import type { Store } from '../store/store.ts';
import { spendToken, type ConfirmToken } from './confirm-token.ts';
import { waitingLines } from '../payments/records/waiting-lines.ts';

/** How many lines go back in one transaction (see RELEASED_MAX in db/transfers/link-wallet.ts). */
export const DECLINED_MAX = 25;

export type DeclineResult = { kind: 'declined'; txnIds: number[] } | { kind: 'already' } | { kind: 'refused' };

/**
 * The person declines: what waits for this identity is owed to its payers again, in one transaction with the token;
 * with `optOut` later payments are refused. Lines beyond one transaction's limit expire at once, and go back as
 * declined. Answers the lines that are on their way back by now.
 */
export async function declineClaim(
  store: Store,
  { optOut, ...token }: ConfirmToken & { optOut: boolean },
  nowMs: number,
): Promise<DeclineResult> {
  const { identities, lines } = store.tables;
  return store.tx(async (db) => {
    const claim = await spendToken(db, store.tables, token, 'declined', nowMs);
    if (claim === 'already' || claim === 'refused') return { kind: claim };
    const { identityId } = claim;
    if (optOut) await db.update(identities).set({ optedOutAtMs: nowMs }).where(eq(identities.id, identityId));
    const waiting = await waitingLines(db, store.tables, eq(lines.identityId, identityId));
    const txnIds: number[] = [];
    for (const { txnId } of waiting.slice(0, DECLINED_MAX)) {
      const refund = { txnId, from: ['escrowed'] as const, reason: 'declined' as const };
      if ((await refundWithin(db, store, refund, nowMs)) === 'refunded') txnIds.push(txnId);
    }
    const left = and(eq(lines.identityId, identityId), eq(lines.status, 'escrowed'), gt(lines.expiresAtMs, nowMs));
    await db.update(lines).set({ expiresAtMs: nowMs, returnReason: 'declined' }).where(left);
    return { kind: 'declined', txnIds };
  });
}

/**
 * One line alone, for a person whom a chat vouches for: it expires at once and goes back as declined. False where it waits
 * for nobody of these, or waits no more.
 */
export async function declineLine(
  store: Store,
  { txnId, identityIds }: { txnId: number; identityIds: readonly string[] },
  nowMs: number,
): Promise<boolean> {
  const { lines } = store.tables;
  const isTheirs = and(eq(lines.txnId, txnId), inArray(lines.identityId, [...identityIds]));
  const rows = await store.tx((db) =>
    db
      .update(lines)
      .set({ expiresAtMs: nowMs, returnReason: 'declined' })
      .where(and(isTheirs, eq(lines.status, 'escrowed'), gt(lines.expiresAtMs, nowMs)))
      .returning({ txnId: lines.txnId }),
  );
  return rows.length > 0;
}
