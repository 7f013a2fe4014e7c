import { and, eq, sql } from 'drizzle-orm';
import { counterLock, wantLock } from './locks.ts';
import { given, placeholder, prepare } from './prepare.ts';
import type { Db, Store } from './store.ts';

/** Adds to a running total unless that would go above its cap: one guarded statement, never a count. */
export async function takeWithin(
  db: Db,
  _store: Pick<Store, 'tables'>,
  name: string,
  amount: bigint,
  cap: bigint,
): Promise<boolean> {
  wantLock(db, counterLock(name));
  const known = await takeOf(db, { name, amount, cap });
  if (known.length > 0) return true;
  // None is there yet, or it has no room.
  await makeCounter(db, { name });
  const taken = await takeOf(db, { name, amount, cap });
  return taken.length > 0;
}

const makeCounter = prepare((db, { counters }) =>
  db
    .insert(counters)
    .values({ name: placeholder('name'), used: 0n })
    .onConflictDoNothing(),
);

const takeOf = prepare((db, { counters }) => {
  const used = sql`${counters.used} + ${placeholder('amount')}`;
  return db
    .update(counters)
    .set({ used })
    .where(and(eq(counters.name, placeholder('name')), sql`${used} <= ${placeholder('cap')}`))
    .returning({ name: counters.name });
});

/** Adds (or with a negative amount takes back) without a cap. */
export async function addWithin(db: Db, _store: Pick<Store, 'tables'>, name: string, amount: bigint): Promise<void> {
  wantLock(db, counterLock(name));
  await addOf(db, { name, used: amount });
}

const addOf = prepare((db, { counters }) =>
  db
    .insert(counters)
    .values(given('name', 'used'))
    .onConflictDoUpdate({ target: counters.name, set: { used: sql`${counters.used} + excluded.used` } }),
);

export async function readCounter(store: Store, name: string): Promise<bigint> {
  const { counters } = store.tables;
  const [row] = await store.read.select({ used: counters.used }).from(counters).where(eq(counters.name, name));
  return row?.used ?? 0n;
}
