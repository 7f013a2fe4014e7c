import { and, asc, desc, eq, gt, inArray, isNotNull, or } from 'drizzle-orm';
import type { Store } from '../store/store.ts';

export type Person = Store['tables']['identities']['$inferSelect'];

/** The one whom the platform means by this id: a name may have had several owners, an id never has. */
export async function findById(store: Store, platform: string, stableId: string): Promise<Person | null> {
  const { identities } = store.tables;
  const [row] = await store.read
    .select()
    .from(identities)
    .where(and(eq(identities.platform, platform), eq(identities.stableId, stableId)));
  return row ?? null;
}

export type Bearer = { person: Person; proof: { claimId: string; atMs: number | null } | null };

/**
 * Everyone whom the books know by this name, and everyone who proved it by a claim, each with their newest proof of it. Who
 * has given the name up keeps it here until the platform is asked about them again.
 */
export async function findBearers(store: Store, platform: string, name: string): Promise<Bearer[]> {
  const { claims, identities } = store.tables;
  const isOfName = and(eq(claims.platform, platform), eq(claims.key, name), isNotNull(claims.identityId));
  const proofs = await store.read
    .select({ identityId: claims.identityId, claimId: claims.id, atMs: claims.verifiedAtMs })
    .from(claims)
    .where(isOfName)
    .orderBy(desc(claims.createdAtMs));
  const provers = proofs.flatMap(({ identityId }) => (identityId === null ? [] : [identityId]));
  const people = await store.read
    .select()
    .from(identities)
    .where(
      and(
        eq(identities.platform, platform),
        or(eq(identities.key, name), inArray(identities.id, [...new Set(provers)])),
      ),
    )
    .orderBy(asc(identities.createdAtMs), asc(identities.id));
  return people.map((person) => ({ person, proof: proofs.find(({ identityId }) => identityId === person.id) ?? null }));
}

const PAGE = 1_000;

/** All of them, a page at a time. */
export async function* everyPerson({ read, tables: { identities } }: Store): AsyncGenerator<Person, void> {
  for (let after = ''; ;) {
    const rows = await read
      .select()
      .from(identities)
      .where(gt(identities.id, after))
      .orderBy(asc(identities.id))
      .limit(PAGE);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}
