import { and, asc, eq, inArray, lte, ne } from 'drizzle-orm';
import { NETWORKS } from '../../core/networks.ts';
import type { TransferIdOf } from '../../core/transfers/source.ts';
import type { Store } from '../store/store.ts';
import { isLive } from '../identities/live-wallets.ts';
import { createPayout, findRoute } from './create.ts';
import { readFloat } from './float.ts';
import { readPayoutSettings } from '../limits/settings.ts';

/**
 * Lines that wait in escrow although their person has a wallet, oldest first: because the wallet is on another network
 * whose float did not cover them, or because a payout there came to nothing. Only those that could be paid now: what is
 * too much for the float must not stand before what is not.
 */
export async function payableLines(store: Store, nowMs: number, limit: number): Promise<number[]> {
  const { lines, payments, wallets } = store.tables;
  const { treasuries } = await readPayoutSettings(store.read, store.tables);
  const find = async (...conditions: Parameters<typeof and>) => {
    const rows = await store.read
      .select({ txnId: lines.txnId })
      .from(wallets)
      .innerJoin(lines, and(eq(lines.identityId, wallets.identityId), eq(lines.status, 'escrowed')))
      .innerJoin(payments, eq(payments.id, lines.paymentId))
      .where(and(inArray(payments.status, ['settled', 'final']), isLive(lines, store.tables, nowMs), ...conditions))
      .orderBy(asc(payments.createdAtMs))
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
    const dependencies = { tables, transferIdOf, nowMs, settings: await readPayoutSettings(db, tables) };
    const route = await findRoute(db, dependencies, owed);
    if (route === null) return null;
    return (await createPayout(db, dependencies, owed, route)).payoutId;
  });
}
