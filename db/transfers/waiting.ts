import { and, asc, eq, inArray, isNull, lte, ne, or, sql } from 'drizzle-orm';
import { NETWORKS } from '../../core/networks.ts';
import type { TransferIdOf } from '../../core/transfers/source.ts';
import type { Store } from '../store/store.ts';
import { isLive } from '../identities/live-wallets.ts';
import { createPayout, findRoute } from './create.ts';
import { readFloat } from './float.ts';
import { standBack, standsBack, type PurseRooms } from '../limits/purse-room.ts';
import { readPayoutSettings } from '../limits/settings.ts';

/**
 * Lines that wait in escrow although their person has a wallet, oldest first: because the wallet is on another network
 * whose float did not cover them, or because a payout there came to nothing. Only those that could be paid now: what is
 * too much for the float must not stand before what is not. Those of purses that were full come last: one after the other, and
 * of each the smallest first, so that what is too much for a purse hides nothing that fits.
 */
export async function payableLines(store: Store, nowMs: number, limit: number): Promise<number[]> {
  const { lines, payments, wallets } = store.tables;
  const { treasuries, purseMaxMicroUsdc } = await readPayoutSettings(store.read, store.tables);
  const wasFull = wallets.fullUntilMs;
  const hasRoom = purseMaxMicroUsdc === 0n ? ne(wallets.source, 'keep') : or(isNull(wasFull), lte(wasFull, nowMs));
  const fullLast = [
    sql`coalesce(${wasFull}, 0)`,
    sql`case when ${wasFull} is null then 0 else ${lines.amountMicroUsdc} end`,
  ];
  const isOpen = and(isLive(lines, store.tables, nowMs), hasRoom);
  const find = async (...conditions: Parameters<typeof and>) => {
    const rows = await store.read
      .select({ txnId: lines.txnId })
      .from(wallets)
      .innerJoin(lines, and(eq(lines.identityId, wallets.identityId), eq(lines.status, 'escrowed')))
      .innerJoin(payments, eq(payments.id, lines.paymentId))
      .where(and(inArray(payments.status, ['settled', 'final']), isOpen, ...conditions))
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
