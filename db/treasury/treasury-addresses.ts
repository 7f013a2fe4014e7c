import type { Network } from '../../core/networks.ts';
import { and, eq, gt, isNotNull, isNull, lt, ne, or } from 'drizzle-orm';
import { TREASURY_ADDRESS_WAIT_MS } from '../../core/treasury/treasury.ts';
import { enqueue } from '../store/outbox.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

export type TreasuryAddress = Tables['treasuryAddresses']['$inferSelect'];
export type NewTreasuryAddress = Omit<TreasuryAddress, 'messageId' | 'announcedAtMs' | 'cancelledBy' | 'cancelledAtMs'>;

/** `botSinceMs`: when the bot came to the community, where that is known: what it could not be told to stop starts anew. */
export type Moment = { nowMs: number; botSinceMs: number | null };

/**
 * Another address for one network. It counts for nothing before it is announced, and one that still waited is over; the
 * one that counts now goes on to count meanwhile. The same event again is the same row, whatever has become of it.
 */
export async function setTreasuryAddress(store: Store, wanted: NewTreasuryAddress): Promise<TreasuryAddress> {
  const { treasuryAddresses } = store.tables;
  return store.tx(async (db) => {
    const [row] = await db.insert(treasuryAddresses).values(wanted).onConflictDoNothing().returning();
    if (row === undefined) return findByRequest(db, store.tables, wanted.requestKey);
    const { walletId, network, setBy, setAtMs } = row;
    const moment = { nowMs: setAtMs, botSinceMs: null };
    const others = and(waitingOn(store.tables, { walletId, network }, moment), ne(treasuryAddresses.id, row.id));
    await db.update(treasuryAddresses).set({ cancelledBy: setBy, cancelledAtMs: setAtMs }).where(others);
    return row;
  });
}

/** It was announced to the community: its wait starts now, and those who decide are told. Of two calls the first counts. */
export async function announceTreasuryAddress(
  store: Store,
  { id, messageId, nowMs }: { id: string; messageId: string; nowMs: number },
): Promise<void> {
  const { treasuryAddresses } = store.tables;
  const isUnknown = and(
    eq(treasuryAddresses.id, id),
    isNull(treasuryAddresses.announcedAtMs),
    isNull(treasuryAddresses.cancelledAtMs),
  );
  await store.tx(async (db) => {
    const set = { messageId, announcedAtMs: nowMs };
    const announced = await db.update(treasuryAddresses).set(set).where(isUnknown).returning();
    await askToTell(db, store.tables, announced, nowMs);
  });
}

/** Each time that its wait begins. */
export async function askToTell(
  db: Db,
  tables: Tables,
  rows: readonly Pick<TreasuryAddress, 'id' | 'announcedAtMs'>[],
  nowMs: number,
): Promise<void> {
  for (const { id: addressId, announcedAtMs } of rows) {
    if (announcedAtMs === null) continue;
    await enqueue(db, tables, 'treasury_address_set', { addressId, announcedAtMs }, nowMs);
  }
}

/**
 * All addresses of a treasury wait again, as if announced at this time: for platforms that report only once that the
 * bot has come back. Addresses announced later are not touched.
 */
export async function restartTreasuryAddresses(store: Store, walletId: string, cameAtMs: number): Promise<void> {
  const { treasuryAddresses: table } = store.tables;
  const isOlder = and(eq(table.walletId, walletId), isNull(table.cancelledAtMs), lt(table.announcedAtMs, cameAtMs));
  await store.tx(async (db) => {
    const again = await db.update(table).set({ announcedAtMs: cameAtMs }).where(isOlder).returning();
    await askToTell(db, store.tables, again, cameAtMs);
  });
}

type By = { userId: string } & Moment;

/** Takes back one that does not count yet. Answers it; null where it counts already or is over. */
export async function cancelWaitingAddress(store: Store, id: string, by: By): Promise<TreasuryAddress | null> {
  const { treasuryAddresses } = store.tables;
  const [row] = await store.tx((db) =>
    db
      .update(treasuryAddresses)
      .set({ cancelledBy: by.userId, cancelledAtMs: by.nowMs })
      .where(and(eq(treasuryAddresses.id, id), isWaiting(store.tables, by)))
      .returning(),
  );
  return row ?? null;
}

type Target = { walletId: string; network: Network };

/** Takes back those of a network that wait, and with `all` also the one that counts and those it has replaced. */
export async function cancelAddresses(store: Store, target: Target, by: By, which: 'waiting' | 'all'): Promise<number> {
  const { treasuryAddresses: table } = store.tables;
  const { walletId, network } = target;
  const all = and(eq(table.walletId, walletId), eq(table.network, network), isNull(table.cancelledAtMs));
  const rows = await store.tx((db) =>
    db
      .update(table)
      .set({ cancelledBy: by.userId, cancelledAtMs: by.nowMs })
      .where(which === 'all' ? all : waitingOn(store.tables, target, by))
      .returning({ id: table.id }),
  );
  return rows.length;
}

export async function findTreasuryAddress(store: Store, id: string): Promise<TreasuryAddress | null> {
  const { treasuryAddresses } = store.tables;
  const [row] = await store.read.select().from(treasuryAddresses).where(eq(treasuryAddresses.id, id));
  return row ?? null;
}

/** What money can go to on one network, and what will be able to take its place. */
export type Addresses = { active: TreasuryAddress | null; waiting: TreasuryAddress | null };

export async function addressesOf(store: Store, target: Target, moment: Moment): Promise<Addresses> {
  return addressesWithin(store.read, store.tables, target, moment);
}

/** The same inside the caller's transaction. */
export async function addressesWithin(
  db: Db,
  { treasuryAddresses: table }: Tables,
  { walletId, network }: Target,
  moment: Moment,
): Promise<Addresses> {
  const rows = await db
    .select()
    .from(table)
    .where(
      and(
        eq(table.walletId, walletId),
        eq(table.network, network),
        isNull(table.cancelledAtMs),
        isNotNull(table.announcedAtMs),
      ),
    );
  const newestFirst = rows.sort((a, b) => b.setAtMs - a.setAtMs || (a.id < b.id ? 1 : -1));
  return {
    active: newestFirst.find((row) => countsFrom(row, moment) <= moment.nowMs) ?? null,
    waiting: newestFirst.find((row) => countsFrom(row, moment) > moment.nowMs) ?? null,
  };
}

/** Never, for an address that was not announced. */
export function countsFrom(
  { announcedAtMs }: Pick<TreasuryAddress, 'announcedAtMs'>,
  { botSinceMs }: Pick<Moment, 'botSinceMs'>,
): number {
  if (announcedAtMs === null) return Infinity;
  return Math.max(announcedAtMs, botSinceMs ?? 0) + TREASURY_ADDRESS_WAIT_MS;
}

function isWaiting({ treasuryAddresses: table }: Tables, { nowMs, botSinceMs }: Moment) {
  const youngMs = nowMs - TREASURY_ADDRESS_WAIT_MS;
  const isYoung = or(isNull(table.announcedAtMs), gt(table.announcedAtMs, youngMs));
  // All of them wait again.
  const isBotNew = botSinceMs !== null && botSinceMs > youngMs;
  return and(isNull(table.cancelledAtMs), isBotNew ? undefined : isYoung);
}

function waitingOn(tables: Tables, { walletId, network }: Target, moment: Moment) {
  const { treasuryAddresses: table } = tables;
  return and(eq(table.walletId, walletId), eq(table.network, network), isWaiting(tables, moment));
}

async function findByRequest(db: Db, { treasuryAddresses }: Tables, requestKey: string): Promise<TreasuryAddress> {
  const [row] = await db.select().from(treasuryAddresses).where(eq(treasuryAddresses.requestKey, requestKey));
  if (!row) throw new Error(`an address was neither inserted nor found under ${requestKey}`);
  return row;
}
