import type { Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import type { ClaimRow } from './find.ts';

export type NewClaim = Tables['claims']['$inferInsert'];

/** Stores an open claim. Nothing is looked up, so its duration does not reveal whether money waits. */
export async function openClaim(store: Store, claim: NewClaim): Promise<ClaimRow> {
  const [row] = await store.tx((db) => db.insert(store.tables.claims).values(claim).returning());
  if (row === undefined) throw new Error(`claim ${claim.id} was inserted and is not there`);
  return row;
}
