import { eq, like, or } from 'drizzle-orm';
import { NETWORKS, type Network } from '../../core/networks.ts';
import type { Tables } from '../schema/tables.ts';
import type { Db, Store } from '../store/store.ts';

type Place = { network: Network; address: string };

const stuckName = ({ network, address }: Place) => `${network}:former-stuck:${address}`;

/**
 * Notes whether nobody here can move what is at a former address: the issuer bars it, or who knows its key gave its token
 * account to someone else. Looked at where a sweep of it would fail.
 */
export async function noteStuck(store: Store, place: Place, isStuck: boolean): Promise<void> {
  const { stamps } = store.tables;
  const [name, value] = [stuckName(place), 'yes'];
  await store.tx(async (db) => {
    if (isStuck) await db.insert(stamps).values({ name, value }).onConflictDoNothing();
    else await db.delete(stamps).where(eq(stamps.name, name));
  });
}

export type Stuck = { has: (place: Place) => boolean };

export async function readStuck(db: Db, { stamps }: Tables): Promise<Stuck> {
  const isOne = or(...NETWORKS.map((network) => like(stamps.name, stuckName({ network, address: '%' }))));
  const rows = await db.select({ name: stamps.name }).from(stamps).where(isOne);
  const names = new Set(rows.map(({ name }) => name));
  return { has: (place) => names.has(stuckName(place)) };
}
