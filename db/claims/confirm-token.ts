import { and, eq, gt } from 'drizzle-orm';
import { move } from '../store/move.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import type { ClaimRow } from './find.ts';
import { bindMails } from './mail-limit.ts';

/** What a confirmation needs: the claim, and the SHA-256 of the token that its browser was given. */
export type ConfirmToken = { claimId: string; confirmHash: string };

/** A verified claim whose token was just spent. */
export type SpentClaim = ClaimRow & { identityId: string };

/** A new token for a verified claim; it invalidates the one before. */
export async function issueConfirmHash(store: Store, id: string, hash: string, nowMs: number): Promise<boolean> {
  const { claims } = store.tables;
  const issued = await store.tx((db) =>
    db
      .update(claims)
      .set({ confirmHash: hash })
      .where(and(eq(claims.id, id), eq(claims.status, 'verified'), gt(claims.expiresAtMs, nowMs)))
      .returning({ id: claims.id }),
  );
  return issued.length > 0;
}

/**
 * Ends a verified claim and spends its token in one statement, so that only one caller ever gets the row. `already`: it
 * has ended like this before. `refused`: another token, no proof, too late, or ended otherwise.
 */
export async function spendToken(
  db: Db,
  tables: Tables,
  { claimId, confirmHash }: ConfirmToken,
  end: 'confirmed' | 'declined',
  nowMs: number,
): Promise<SpentClaim | 'already' | 'refused'> {
  const { claims } = tables;
  const [claim] = await move(db, claims, {
    from: ['verified'],
    where: and(eq(claims.id, claimId), eq(claims.confirmHash, confirmHash), gt(claims.expiresAtMs, nowMs)),
    set: { status: end, confirmHash: null, endedAtMs: nowMs },
  });
  if (claim !== undefined) {
    const { identityId, method, key, browserId } = claim;
    if (identityId === null) throw new Error(`claim ${claimId} was verified without an identity`);
    if (method === 'email' && browserId !== null) await bindMails(db, tables, { address: key, browserId });
    return { ...claim, identityId };
  }
  const [now] = await db.select({ status: claims.status }).from(claims).where(eq(claims.id, claimId));
  return now?.status === end ? 'already' : 'refused';
}
