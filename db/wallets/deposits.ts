import { and, asc, desc, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import type { Network } from '../../core/networks.ts';
import type { SeenDeposit } from '../../core/wallets/deposits.ts';
import type { Store } from '../store/store.ts';

export type DepositWatch = Store['tables']['depositWatches']['$inferSelect'];

type Shown = { walletId: string; network: Network; address: string };

/** From now on what comes to these addresses of one wallet is looked for; shown again it writes nothing. */
export async function watchDeposits(store: Store, shown: readonly Shown[], nowMs: number): Promise<void> {
  const { depositWatches: table } = store.tables;
  const [first] = shown;
  if (first === undefined) return;
  const known = await store.read
    .select({ network: table.network })
    .from(table)
    .where(eq(table.walletId, first.walletId));
  const missing = shown.filter(({ network }) => known.every((one) => one.network !== network));
  if (missing.length === 0) return;
  const rows = missing.map((one) => ({ ...one, sinceMs: nowMs }));
  await store.tx((db) => db.insert(table).values(rows).onConflictDoNothing());
}

export async function watchesOf(store: Store, walletId: string): Promise<DepositWatch[]> {
  const { depositWatches: table } = store.tables;
  return store.read.select().from(table).where(eq(table.walletId, walletId));
}

/** One that was never looked at, with the block before it was shown. */
export async function beginWatch(store: Store, { walletId, network }: DepositWatch, block: number): Promise<void> {
  const { depositWatches: table } = store.tables;
  const isIt = and(eq(table.walletId, walletId), eq(table.network, network), isNull(table.block));
  await store.tx((db) => db.update(table).set({ block }).where(isIt));
}

export async function freshWatches(store: Store, network: Network, limit: number): Promise<DepositWatch[]> {
  const { depositWatches: table } = store.tables;
  return store.read
    .select()
    .from(table)
    .where(and(eq(table.network, network), isNull(table.block)))
    .limit(limit);
}

/** Those that are furthest behind, all known up to the same block; none where there is nothing to look at. */
export async function watchesBehind(
  store: Store,
  network: Network,
  limit: number,
): Promise<{ block: number; watches: DepositWatch[] }> {
  const { depositWatches: table } = store.tables;
  const rows = await store.read
    .select()
    .from(table)
    .where(and(eq(table.network, network), isNotNull(table.block)))
    .orderBy(asc(table.block))
    .limit(limit);
  const block = rows[0]?.block ?? 0;
  return { block, watches: rows.filter((row) => row.block === block) };
}

type Look = { network: Network; watches: readonly DepositWatch[]; fromBlock: number; toBlock: number };

/** What was found, together with how far that was looked for: nothing is told twice, or skipped. */
export async function noteDeposits(
  store: Store,
  { network, watches, fromBlock, toBlock }: Look,
  found: readonly SeenDeposit[],
): Promise<void> {
  const { depositWatches, walletDeposits } = store.tables;
  const walletAt = new Map(watches.map(({ address, walletId }) => [address.toLowerCase(), walletId]));
  const rows = found.map(({ transaction, place, to, amount, atMs }) => {
    const walletId = walletAt.get(to.toLowerCase());
    if (walletId === undefined) throw new Error(`nobody asked for what came to ${to}`);
    return { network, transaction, place, walletId, amountMicroUsdc: amount, atMs };
  });
  const ids = watches.map(({ walletId }) => walletId);
  const areThese = and(
    eq(depositWatches.network, network),
    eq(depositWatches.block, fromBlock),
    inArray(depositWatches.walletId, ids),
  );
  await store.tx(async (db) => {
    if (rows.length > 0) await db.insert(walletDeposits).values(rows).onConflictDoNothing();
    await db.update(depositWatches).set({ block: toBlock }).where(areThese);
  });
}

/** The newest first. */
export async function depositsOf(store: Store, walletId: string, limit: number) {
  const { walletDeposits: table } = store.tables;
  return store.read.select().from(table).where(eq(table.walletId, walletId)).orderBy(desc(table.atMs)).limit(limit);
}
