import { and, asc, eq, gt, inArray } from 'drizzle-orm';
import { ensureIdentity, type ResolvedRecipient } from '../identities/identities.ts';
import { resolveWithin } from '../resolving/resolve-line.ts';
import { move } from '../store/move.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import type { ClaimRow } from './find.ts';

/** The person who proved it, with the name held now, and since when, where the platform says so. */
export type ProvenPerson = ResolvedRecipient;

export type Verification = { claimId: string; person: ProvenPerson; nowMs: number };

export type VerifyResult = 'verified' | 'wrong_account' | 'not_open';

/** Lines that one proof resolves at once; the worker looks the others up as usual. */
const RESOLVED_MAX = 25;

/**
 * A person has proven an account. Verifies the claim if that person may stand for the claim's name, and rejects it
 * otherwise, without storing who it was. Nothing is paid out yet: that takes the person's confirmation.
 */
export async function markVerified(
  store: Store,
  { claimId, person, nowMs }: Verification,
  newIdentityId: string,
): Promise<VerifyResult> {
  const { claims } = store.tables;
  return store.tx(async (db) => {
    const open = and(eq(claims.id, claimId), eq(claims.status, 'open'), gt(claims.expiresAtMs, nowMs));
    const [claim] = await db.select().from(claims).where(open);
    if (claim === undefined) return 'not_open';
    if (claim.platform !== person.platform) {
      throw new Error(`claim ${claimId} is for ${claim.platform}, and ${person.platform} was proven`);
    }
    if (!(await mayStandFor(db, store.tables, claim, person))) {
      const ended = { status: 'rejected', rejectReason: 'wrong_account', proof: null, endedAtMs: nowMs } as const;
      await move(db, claims, { where: open, set: ended });
      return 'wrong_account';
    }
    const identityId = await ensureIdentity(db, store.tables, person, newIdentityId, nowMs);
    const proven = { status: 'verified', identityId, provenKey: person.key, proof: null, verifiedAtMs: nowMs } as const;
    await move(db, claims, { where: open, set: proven });
    await resolveOpenLines(db, store, person, { newIdentityId: () => newIdentityId, nowMs });
    return 'verified';
  });
}

/**
 * The name's present owner, or a person paid under it who has another name since. A present owner who was never paid
 * (names change hands) still gets nothing of others, because money belongs to an identity.
 */
async function mayStandFor(db: Db, tables: Tables, claim: ClaimRow, person: ProvenPerson): Promise<boolean> {
  const { platform, key } = claim;
  if (person.key === key) return true;
  const { identities, lines } = tables;
  const [known] = await db
    .select({ id: identities.id, key: identities.key })
    .from(identities)
    .where(and(eq(identities.platform, platform), eq(identities.stableId, person.stableId)));
  if (known === undefined) return false;
  if (known.key === key) return true;
  const [paid] = await db
    .select({ txnId: lines.txnId })
    .from(lines)
    .where(and(eq(lines.identityId, known.id), eq(lines.platform, platform), eq(lines.recipientKey, key)))
    .limit(1);
  return paid !== undefined;
}

/** The proof resolves lines whose platform did not answer: by the name held now, never by a former one. */
async function resolveOpenLines(
  db: Db,
  store: Store,
  { platform, key, stableId, sinceMs }: ProvenPerson,
  { newIdentityId, nowMs }: { newIdentityId: () => string; nowMs: number },
): Promise<void> {
  const { lines, payments } = store.tables;
  const open = await db
    .select({ txnId: lines.txnId })
    .from(lines)
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(
      and(
        eq(lines.platform, platform),
        eq(lines.recipientKey, key),
        eq(lines.status, 'resolving'),
        inArray(payments.status, ['settled', 'final']),
      ),
    )
    .orderBy(asc(payments.createdAtMs))
    .limit(RESOLVED_MAX);
  const person = { stableId, ...(sinceMs === undefined ? {} : { sinceMs }) };
  for (const { txnId } of open) {
    await resolveWithin(db, store, { txnId, person }, { newIdentityId, transferIdOf: null, nowMs });
  }
}

/** Ends a claim that is not proven: tried too often, or by the wrong person. False when it is not open. */
export async function rejectClaim(store: Store, id: string, reason: string, nowMs: number): Promise<boolean> {
  const { claims } = store.tables;
  const rejected = await store.tx((db) =>
    move(db, claims, {
      where: eq(claims.id, id),
      set: { status: 'rejected', rejectReason: reason, proof: null, endedAtMs: nowMs },
    }),
  );
  return rejected.length > 0;
}
