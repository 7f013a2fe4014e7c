import { and, eq, sql } from 'drizzle-orm';
import { counterLock, wantLock } from './locks.ts';
import type { Db, Store } from './store.ts';

/** Adds to a running total unless that would go above its cap: one guarded statement, never a count. */
export async function takeWithin(
  db: Db,
  { tables: { counters } }: Pick<Store, 'tables'>,
  name: string,
  amount: bigint,
  cap: bigint,
): Promise<boolean> {
  wantLock(db, counterLock(name));
  await db.insert(counters).values({ name, used: 0n }).onConflictDoNothing();
  const taken = await db
    .update(counters)
    .set({ used: sql`${counters.used} + ${amount}` })
    .where(and(eq(counters.name, name), sql`${counters.used} + ${amount} <= ${cap}`))
    .returning({ name: counters.name });
  return taken.length > 0;
}

/** Adds (or with a negative amount takes back) without a cap. */
export async function addWithin(
  db: Db,
  { tables: { counters } }: Pick<Store, 'tables'>,
  name: string,
  amount: bigint,
): Promise<void> {
  wantLock(db, counterLock(name));
  await db
    .insert(counters)
    .values({ name, used: amount })
    .onConflictDoUpdate({ target: counters.name, set: { used: sql`${counters.used} + ${amount}` } });
}

export async function readCounter(store: Store, name: string): Promise<bigint> {
  const { counters } = store.tables;
  const [row] = await store.read.select({ used: counters.used }).from(counters).where(eq(counters.name, name));
  return row?.used ?? 0n;
}
