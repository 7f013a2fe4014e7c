import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lte, ne, or, sql } from 'drizzle-orm';
import { NETWORKS } from '../../core/networks.ts';
import type { TransferIdOf } from '../../core/transfers/source.ts';
import type { Store } from '../store/store.ts';
import { isOneOf } from '../dialects/unindexed.ts';
import { isLive } from '../identities/live-wallets.ts';
import { lookAtWaiting, type Look, type Walk } from '../payments/records/waiting-people.ts';
import { createPayout, findRoute } from './create.ts';
import { readFloat } from './float.ts';
import { standBack, standsBack, type PurseRooms } from '../limits/purse-room.ts';
import { readPayoutSettings } from '../limits/settings.ts';

/** One who has just given an address has more lines than one transaction pays out, until this long after it. */
const LINKED_WITHIN_MS = 10 * 60_000;
const LINKED_MAX = 100;

/** People for whom something waits although they have a wallet, as far as one look goes, and all who have just linked one. */
export async function lookForPayable(store: Store, walk: Walk, nowMs: number): Promise<Look> {
  const { wallets } = store.tables;
  // Looked up for each line of the look: PostgreSQL would read all wallets for an `exists`.
  const { people, next } = await lookAtWaiting(store, walk, ({ identityId }) =>
    isNotNull(
      sql`(${store.read
        .select({ address: wallets.address })
        .from(wallets)
        .where(eq(wallets.identityId, identityId))
        .limit(1)})`,
    ),
  );
  const linked = await store.read
    .select({ identityId: wallets.identityId })
    .from(wallets)
    .where(and(inArray(wallets.source, OWN_SOURCES), gt(wallets.linkedAtMs, nowMs - LINKED_WITHIN_MS)))
    .orderBy(desc(wallets.linkedAtMs))
    .limit(LINKED_MAX);
  return { people: [...new Set([...people, ...linked.map(({ identityId }) => identityId)])], next };
}

/** Published addresses are checked again each day, and look as if they were just linked. */
const OWN_SOURCES = ['claim', 'keep', 'operator'];

/**
 * Lines of these people that wait in escrow although they have a wallet, oldest first: because the wallet is on another
 * network whose float did not cover them, or because a payout there came to nothing. Only those that could be paid now:
 * what is too much for the float must not stand before what is not. Those of purses that were full come last: one after
 * the other, and of each the smallest first, so that what is too much for a purse hides nothing that fits.
 */
export async function payableLines(
  store: Store,
  people: readonly string[],
  nowMs: number,
  limit: number,
): Promise<number[]> {
  if (people.length === 0) return [];
  const { lines, payments, wallets } = store.tables;
  const { treasuries, purseMaxMicroUsdc } = await readPayoutSettings(store.read, store.tables);
  const wasFull = wallets.fullUntilMs;
  const hasRoom = purseMaxMicroUsdc === 0n ? ne(wallets.source, 'keep') : or(isNull(wasFull), lte(wasFull, nowMs));
  const fullLast = [
    sql`coalesce(${wasFull}, 0)`,
    sql`case when ${wasFull} is null then 0 else ${lines.amountMicroUsdc} end`,
  ];
  const isTheirs = and(inArray(wallets.identityId, [...people]), eq(lines.identityId, wallets.identityId));
  const isOpen = and(eq(lines.status, 'escrowed'), isLive(lines, store.tables, nowMs), hasRoom);
  const find = async (...conditions: Parameters<typeof and>) => {
    const rows = await store.read
      .select({ txnId: lines.txnId })
      .from(wallets)
      // For SQLite: from the people to their lines, and never from all that wait.
      .crossJoin(lines)
      .innerJoin(payments, eq(payments.id, lines.paymentId))
      .where(and(isTheirs, isOpen, isOneOf(payments.status, ['settled', 'final']), ...conditions))
      .orderBy(...fullLast, asc(payments.createdAtMs))
      .limit(limit);
    return rows.map(({ txnId }) => txnId);
  };
  const found = await find(eq(wallets.network, payments.network));
  for (const network of NETWORKS) {
    const treasury = treasuries[network];
    if (treasury === undefined) continue;
    const { available } = await readFloat(store.read, store.tables, { network, treasury });
    if (available === 0n) continue;
    const crosses = and(eq(wallets.network, network), ne(payments.network, network));
    found.push(...(await find(crosses, lte(lines.amountMicroUsdc, available))));
  }
  return [...new Set(found)];
}

/** Makes the payout of a waiting line if there is a way for it now; null when there is none, or it waits no longer. */
export async function payWaitingLine(
  store: Store,
  txnId: number,
  transferIdOf: TransferIdOf,
  nowMs: number,
): Promise<string | null> {
  const { tables } = store;
  const { lines, payments } = tables;
  return store.tx(async (db) => {
    const [owed] = await db
      .select({ line: lines, payment: payments })
      .from(lines)
      .innerJoin(payments, eq(payments.id, lines.paymentId))
      .where(and(eq(lines.txnId, txnId), eq(lines.status, 'escrowed'), inArray(payments.status, ['settled', 'final'])));
    if (!owed) return null;
    const { identityId, amountMicroUsdc } = owed.line;
    const rooms: PurseRooms = new Map();
    const stoodBack = await standsBack(db, tables, identityId, nowMs);
    // Another line of this round found it full: its books are not summed up again.
    if (stoodBack) rooms.set(identityId, { left: 0n, addresses: [] });
    const dependencies = { tables, transferIdOf, nowMs, settings: await readPayoutSettings(db, tables), rooms };
    const route = await findRoute(db, dependencies, owed);
    if (route === null) {
      const left = rooms.get(identityId)?.left ?? null;
      const isFull = left !== null && left < amountMicroUsdc;
      if (isFull && !stoodBack) await standBack(db, tables, identityId, nowMs);
      return null;
    }
    return (await createPayout(db, dependencies, owed, route)).payoutId;
  });
}
