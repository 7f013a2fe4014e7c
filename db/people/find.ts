import { and, asc, eq, gt, or } from 'drizzle-orm';
import type { Store } from '../store/store.ts';

export type Person = Store['tables']['identities']['$inferSelect'];

/** Everyone whom the books know by this name, or by this id of the platform: a name may have had several owners. */
export async function findPeople(store: Store, platform: string, name: string): Promise<Person[]> {
  const { identities } = store.tables;
  const isNamed = or(eq(identities.key, name), eq(identities.stableId, name));
  return store.read
    .select()
    .from(identities)
    .where(and(eq(identities.platform, platform), isNamed));
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
