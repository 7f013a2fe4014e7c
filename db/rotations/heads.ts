import { eq, inArray, like } from 'drizzle-orm';
import type { Network } from '../../core/networks.ts';
import type { Tables } from '../schema/tables.ts';
import type { Db, Store } from '../store/store.ts';
import { headName, readFormers } from './formers.ts';

/**
 * A block by its number, and the chain's time there in seconds; null: it is not known, so the books may be behind. `until`: what was
 * signed by then can land no later.
 */
type Head = { number: number; time: number | null; until: number };

/**
 * Books that are further behind may be a backup, which does not know what the replaced key has signed since. Shorter than
 * anyone stops a service and puts a backup back, so most rotations wait as well: an hour without payouts costs less than one
 * that is paid twice.
 */
const BEHIND_SECONDS = 120;
const untilName = (network: Network, address: string) => `${network}:former-until:${address}`;

/** The addresses whose head at their rotation these books do not know yet. */
export async function withoutHead(db: Db, tables: Tables, network: Network): Promise<string[]> {
  const formers = (await readFormers(db, tables)).filter((former) => former.network === network);
  if (formers.length === 0) return [];
  const { stamps } = tables;
  const names = formers.map(({ address }) => headName(network, address));
  const rows = await db.select({ name: stamps.name }).from(stamps).where(inArray(stamps.name, names));
  const known = new Set(rows.map(({ name }) => name));
  return formers.map(({ address }) => address).filter((address) => !known.has(headName(network, address)));
}

/**
 * Called before anything is settled with the new key. What leaves the address up to this block left it while it was, by
 * these books, the one in use.
 */
export async function noteHeads(store: Store, network: Network, head: Head): Promise<void> {
  const { tables } = store;
  const { scanCursors, stamps } = tables;
  await store.tx(async (db) => {
    const added = await withoutHead(db, tables, network);
    if (added.length === 0) return;
    const [cursor] = await db.select().from(scanCursors).where(eq(scanCursors.network, network));
    const isBehind = cursor !== undefined && (head.time === null || head.time - cursor.blockTime > BEHIND_SECONDS);
    const rows = added.flatMap((address) => [
      { name: headName(network, address), value: String(head.number) },
      ...(isBehind ? [{ name: untilName(network, address), value: String(head.until) }] : []),
    ]);
    await db.insert(stamps).values(rows).onConflictDoNothing();
  });
}

/** Until when a former address may have signed what these books do not know, in the words of `Head`; 0 where none has. */
export async function maySignUntil(db: Db, { stamps }: Tables, network: Network): Promise<number> {
  const prefix = untilName(network, '');
  const rows = await db
    .select()
    .from(stamps)
    .where(like(stamps.name, `${prefix}%`));
  return Math.max(0, ...rows.map(({ value }) => Number(value)));
}
