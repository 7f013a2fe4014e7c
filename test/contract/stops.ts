import type { Store } from '../../db/store/store.ts';

/** What an operator does by hand once the reason is gone. */
export async function clearStop(store: Store): Promise<void> {
  await store.tx(async (db) => {
    await db.delete(store.tables.signingStops);
  });
}
