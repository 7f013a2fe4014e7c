import { and, eq, inArray, like, or } from 'drizzle-orm';
import { NETWORKS, type Network } from '../../core/networks.ts';
import type { Tables } from '../schema/tables.ts';
import type { Db, Store } from '../store/store.ts';
import { formerName } from './formers.ts';

type Place = { network: Network; address: string };

const stuckName = ({ network, address }: Place) => `${network}:former-stuck:${address}`;

/** Sweeps of it that have failed in a row: how many, since when, and when the last one did. */
const failingName = ({ network, address }: Place) => `${network}:former-failing:${address}`;

/** Seen on the chain; or told from sweeps that fail again and again, although each look finds nothing. */
const [SEEN, FAILING] = ['yes', 'failing'];

/**
 * Notes whether nobody here can move what is at a former address: the issuer bars it, or who knows its key gave its token
 * account to someone else. Looked at where a sweep of it would fail.
 */
export async function noteStuck(store: Store, place: Place, isStuck: boolean): Promise<void> {
  const { stamps } = store.tables;
  const [name, value] = [stuckName(place), SEEN];
  await store.tx(async (db) => {
    if (isStuck) await db.insert(stamps).values({ name, value }).onConflictDoNothing();
    // A sweep that would work now may fail all the same.
    else await db.delete(stamps).where(and(eq(stamps.name, name), eq(stamps.value, SEEN)));
  });
}

const FAILURES_MIN = 3;
const FAILING_MIN_MS = 5 * 60_000;
/** Failures further apart are not in a row: meanwhile there was nothing to sweep. */
const ROW_GAP_MS = 15 * 60_000;

/**
 * A sweep of this address has failed. Who knows its key can give its token account away and take it back all the time, so that each
 * look finds it open and each sweep fails: after some of them in a row, over some minutes, it is stuck until one lands.
 */
export async function noteSweepFailed(db: Db, { stamps }: Tables, place: Place, nowMs: number): Promise<void> {
  if (!(await isFormerPlace(db, stamps, place))) return;
  const name = failingName(place);
  const [found] = await db.select({ value: stamps.value }).from(stamps).where(eq(stamps.name, name));
  const [count = 0, sinceMs = nowMs, lastMs = nowMs] = (found?.value.split(' ') ?? []).map(Number);
  const isInRow = nowMs - lastMs <= ROW_GAP_MS;
  const [next, since] = isInRow ? [count + 1, sinceMs] : [1, nowMs];
  const value = `${next} ${since} ${nowMs}`;
  await db.insert(stamps).values({ name, value }).onConflictDoUpdate({ target: stamps.name, set: { value } });
  if (next < FAILURES_MIN || nowMs - since < FAILING_MIN_MS) return;
  const stuck = { name: stuckName(place), value: FAILING };
  await db
    .insert(stamps)
    .values(stuck)
    .onConflictDoUpdate({ target: stamps.name, set: { value: FAILING } });
}

/** One has landed, so it can be swept. */
export async function noteSweepLanded(db: Db, { stamps }: Tables, place: Place): Promise<void> {
  await db.delete(stamps).where(inArray(stamps.name, [stuckName(place), failingName(place)]));
}

async function isFormerPlace(db: Db, stamps: Tables['stamps'], { network, address }: Place): Promise<boolean> {
  const isIt = eq(stamps.name, formerName(network, address));
  return (await db.select({ name: stamps.name }).from(stamps).where(isIt)).length > 0;
}

export type Stuck = { has: (place: Place) => boolean };

export async function readStuck(db: Db, { stamps }: Tables): Promise<Stuck> {
  const isOne = or(...NETWORKS.map((network) => like(stamps.name, stuckName({ network, address: '%' }))));
  const rows = await db.select({ name: stamps.name }).from(stamps).where(isOne);
  const names = new Set(rows.map(({ name }) => name));
  return { has: (place) => names.has(stuckName(place)) };
}
