import { and, eq, inArray, isNull, lte, sql } from 'drizzle-orm';
import { accounts as names } from '../../core/ledger.ts';
import type { Network } from '../../core/networks.ts';
import { isProvenBy, type Death } from '../store/death.ts';
import { move } from '../store/move.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

export type SweepRow = Tables['sweeps']['$inferSelect'];

/** Where the money lies, and where it is paid out from. */
export type SweepPlace = { network: Network; task: string; treasury: string };

/**
 * Plans to move all that is explained at a task address to the treasury. What is booked there can no longer vanish, and
 * what is not booked is not touched. One at a time, when it is worth its fee, or when payouts wait for it.
 */
export async function planSweep(
  store: Store,
  { network, task, treasury }: SweepPlace,
  options: { id: string; minMicroUsdc: bigint; nowMs: number },
): Promise<boolean> {
  // Read beside the writer first: there is hardly ever anything to move.
  if ((await amountToSweep(store.read, store.tables, { network, task, treasury }, options.minMicroUsdc)) === null) {
    return false;
  }
  return store.tx(async (db) => {
    const amount = await amountToSweep(db, store.tables, { network, task, treasury }, options.minMicroUsdc);
    if (amount === null) return false;
    await db.insert(store.tables.sweeps).values({
      id: options.id,
      network,
      status: 'queued',
      fromAddress: task,
      toAddress: treasury,
      amountMicroUsdc: amount,
      generation: 0,
      nextTryAtMs: options.nowMs,
      tries: 0,
      createdAtMs: options.nowMs,
    });
    return true;
  });
}

async function amountToSweep(db: Db, tables: Tables, place: SweepPlace, min: bigint): Promise<bigint | null> {
  const amount = await balanceOf(db, tables, names.chain(place.network, place.task));
  if (amount === 0n) return null;
  const { sweeps } = tables;
  const [open] = await db
    .select({ id: sweeps.id })
    .from(sweeps)
    .where(
      and(
        eq(sweeps.network, place.network),
        eq(sweeps.fromAddress, place.task),
        inArray(sweeps.status, ['queued', 'assigned', 'broadcast']),
      ),
    )
    .limit(1);
  if (open !== undefined) return null;
  return amount >= min || (await doPayoutsWait(db, tables, place)) ? amount : null;
}

/** Whether the treasury lacks what payouts are about to take from it. */
async function doPayoutsWait(db: Db, tables: Tables, { network, treasury }: SweepPlace): Promise<boolean> {
  const { transfers } = tables;
  const [wanted] = await db
    .select({ sum: sql<string>`coalesce(sum(${transfers.amountMicroUsdc}), 0)` })
    .from(transfers)
    .where(and(eq(transfers.network, network), inArray(transfers.status, ['queued', 'assigned', 'broadcast'])));
  return BigInt(wanted?.sum ?? 0) > (await balanceOf(db, tables, names.chain(network, treasury)));
}

async function balanceOf(db: Db, { accounts }: Tables, name: string): Promise<bigint> {
  const [row] = await db.select({ balance: accounts.balance }).from(accounts).where(eq(accounts.name, name));
  return row?.balance ?? 0n;
}

/** Those that have no signed authorization or transaction yet. */
export async function queuedSweeps(store: Store, network: string, nowMs: number): Promise<SweepRow[]> {
  return inState(store, network, 'queued', nowMs);
}

/** Those whose authorization is signed and in no batch. */
export async function assignedSweeps(store: Store, network: string, nowMs: number): Promise<SweepRow[]> {
  const found = await inState(store, network, 'assigned', nowMs);
  return found.filter(({ carrierId }) => carrierId === null);
}

async function inState(store: Store, network: string, status: 'queued' | 'assigned', nowMs: number) {
  const { sweeps } = store.tables;
  return store.read
    .select()
    .from(sweeps)
    .where(and(eq(sweeps.network, network), eq(sweeps.status, status), lte(sweeps.nextTryAtMs, nowMs)));
}

/** Stores what was signed before anything that contains it is built. */
export async function assignSweep(
  store: Store,
  { id, generation }: SweepRow,
  signed: { nonce: string; validBefore: number; signature: string },
): Promise<boolean> {
  const { sweeps } = store.tables;
  const moved = await store.tx((db) =>
    move(db, sweeps, {
      from: ['queued'],
      where: and(eq(sweeps.id, id), eq(sweeps.generation, generation)),
      set: { status: 'assigned', ...signed },
    }),
  );
  return moved.length > 0;
}

export async function postponeSweep(store: Store, id: string, nextTryAtMs: number): Promise<void> {
  const { sweeps } = store.tables;
  const waits = and(eq(sweeps.id, id), inArray(sweeps.status, ['queued', 'assigned']), isNull(sweeps.carrierId));
  await store.tx((db) => db.update(sweeps).set({ nextTryAtMs }).where(waits));
}

/** Belongs into the transaction that opens the batch. Answers how many were free. */
export async function takeSweeps(db: Db, store: Store, carrierId: string, ids: readonly string[]): Promise<number> {
  const { sweeps } = store.tables;
  const taken = await move(db, sweeps, {
    from: ['assigned'],
    where: and(inArray(sweeps.id, [...ids]), isNull(sweeps.carrierId)),
    set: { carrierId, status: 'broadcast' },
  });
  return taken.length;
}

/** Its batch has its place, and it did not land there: the same authorization goes into another one. */
export async function freeSweeps(db: Db, store: Store, carrierId: string, nextTryAtMs: number): Promise<void> {
  const { sweeps } = store.tables;
  await move(db, sweeps, {
    from: ['broadcast'],
    where: eq(sweeps.carrierId, carrierId),
    set: { carrierId: null, status: 'assigned', tries: sql`${sweeps.tries} + 1`, nextTryAtMs },
  });
}

/** Those whose authorization may have run out unused. */
export async function expiredSweeps(store: Store, network: string, chainTime: number): Promise<SweepRow[]> {
  const { sweeps } = store.tables;
  return store.read
    .select()
    .from(sweeps)
    .where(
      and(
        eq(sweeps.network, network),
        inArray(sweeps.status, ['assigned', 'broadcast']),
        lte(sweeps.validBefore, chainTime),
      ),
    );
}

export async function renewDeadSweep(store: Store, sweep: SweepRow, death: Death, nowMs: number): Promise<boolean> {
  return store.tx((db) => renewSweepWithin(db, store.tables, sweep, { death, nowMs }));
}

/** What was signed can never land: it goes on in its next generation. Nothing was booked for it, so nothing is undone. */
export async function renewSweepWithin(
  db: Db,
  tables: Tables,
  sweep: SweepRow,
  { death, nowMs }: { death: Death; nowMs: number },
): Promise<boolean> {
  const { sweeps } = tables;
  const { id, generation } = sweep;
  const moved = await move(db, sweeps, {
    where: and(eq(sweeps.id, id), eq(sweeps.generation, generation), isProvenBy(sweeps, death)),
    set: {
      status: 'queued',
      generation: generation + 1,
      nonce: null,
      validBefore: null,
      signature: null,
      carrierId: null,
      nextTryAtMs: nowMs,
    },
  });
  return moved.length > 0;
}
