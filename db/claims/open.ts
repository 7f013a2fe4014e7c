import type { Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

export type NewClaim = Tables['claims']['$inferInsert'];

/** Writes down that somebody asks. Nothing is looked up, so it takes as long whether or not money waits. */
export async function openClaim(store: Store, claim: NewClaim): Promise<void> {
  await store.tx((db) => db.insert(store.tables.claims).values(claim));
}
