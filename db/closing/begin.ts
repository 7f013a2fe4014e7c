import { and, eq } from 'drizzle-orm';
import { WIND_DOWN } from '../../core/payments/stops.ts';
import { payerAccountId } from '../ledger/payer-account.ts';
import { recordAction, type Command } from '../operator/actions.ts';
import { stopSigningWithin } from '../store/stops.ts';
import type { Store } from '../store/store.ts';
import { listPersonalWallets } from '../wallets/personal-wallets.ts';

/** Since when the service ends; null: it does not. */
export async function closingSince({ read, tables: { signingStops } }: Pick<Store, 'read' | 'tables'>) {
  const isIt = and(eq(signingStops.reason, WIND_DOWN), eq(signingStops.network, 'all'));
  const [row] = await read.select({ sinceMs: signingStops.sinceMs }).from(signingStops).where(isIt);
  return row?.sinceMs ?? null;
}

/** No new payments from here on, and what waits goes back. False where that was said before; nothing changes then. */
export async function beginClosing(store: Store, command: Command, detail: string, nowMs: number): Promise<boolean> {
  const { signingStops } = store.tables;
  return store.tx(async (db) => {
    const isIt = and(eq(signingStops.reason, WIND_DOWN), eq(signingStops.network, 'all'));
    const [before] = await db.select({ sinceMs: signingStops.sinceMs }).from(signingStops).where(isIt);
    if (before !== undefined) return false;
    // An earlier one that was ended had its own.
    await db.delete(store.tables.closingWallets);
    await stopSigningWithin(db, store, { reason: WIND_DOWN, network: 'all', detail }, nowMs);
    await recordAction(db, store.tables, command, { result: `the service ends: ${detail}`, nowMs });
    return true;
  });
}

const WALLETS_AT_ONCE = 500;

/**
 * Lists every wallet that may hold money of others, so that each is looked at and its holders are told. May be repeated: those
 * that are listed stay as they are. Answers how many are listed now.
 */
export async function listClosingWallets(store: Store, nowMs: number): Promise<number> {
  const { closingWallets } = store.tables;
  const wallets = await listPersonalWallets(store);
  for (let from = 0; from < wallets.length; from += WALLETS_AT_ONCE) {
    const rows = wallets.slice(from, from + WALLETS_AT_ONCE).map(({ walletId }) => ({
      id: payerAccountId(walletId),
      walletId,
      isLeaving: false,
      nextLookAtMs: nowMs,
    }));
    await store.tx(async (db) => void (await db.insert(closingWallets).values(rows).onConflictDoNothing()));
  }
  return wallets.length;
}
