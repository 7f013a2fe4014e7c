import { eq } from 'drizzle-orm';
import { openingBalance } from '../../core/ledger.ts';
import type { Network } from '../../core/networks.ts';
import { factOf, type ObservedTransfer } from '../../core/observed.ts';
import { postEntry } from '../ledger/ledger.ts';
import type { SettleDependencies } from '../payments/settle.ts';
import { ledgerLock } from '../store/locks.ts';
import { stopSigningWithin, type NewStop } from '../store/stops.ts';
import type { Db, Store } from '../store/store.ts';
import { takeTransfers } from './apply.ts';
import { isSignedAs } from './land-outflow.ts';

export type Before = { network: Network; seen: ObservedTransfer; ownAddresses: readonly string[]; stop: NewStop };

/**
 * Lands a transfer that books that were lost have paid before these began: a final transfer under its nonce, which is made from its
 * line, of the same sum and to the same address. The opening balance lacks what had left by then, so that is added to it first: chain
 * and books agree as before, and the operator's own money is free again. What signs there stops all the same, because other payouts
 * may have been paid likewise. Answers false, with nothing changed, where a detail differs: then nobody knows whom it has paid.
 */
export async function landBefore(
  store: Store,
  { network, seen, ownAddresses, stop }: Before,
  settle: Omit<SettleDependencies, 'tables'>,
): Promise<boolean> {
  const { tables } = store;
  const { nowMs } = settle;
  return store.tx(
    async (db) => {
      if (!(await isUnread(db, store, network, seen))) return false;
      const { from: address, to: toAddress, value: amount, nonce = null, authorizer = null } = seen;
      const signed = { network, nonce, authorizer, fromAddress: address, toAddress, amountMicroUsdc: amount };
      if (!(await isSignedAs(db, tables, signed))) return false;
      const left = { network, address, amount, before: factOf(network, seen) };
      await postEntry(db, tables, openingBalance(left), nowMs);
      const result = { applied: true, changedPayments: [], changedTransfers: [] };
      await takeTransfers(db, store, { ...settle, tables }, { network, transfers: [seen], ownAddresses }, result);
      // Otherwise nothing of this transaction is kept.
      if (result.changedTransfers.length !== 1) throw new Error(`${left.before} lands nothing, expected a transfer`);
      await stopSigningWithin(db, store, stop, nowMs);
      return true;
    },
    [ledgerLock(network)],
  );
}

/** Whether it stands where these books have not read, and is in none of their entries. */
async function isUnread(db: Db, { tables }: Store, network: Network, seen: ObservedTransfer): Promise<boolean> {
  const { observedTransfers, scanCursors } = tables;
  const [cursor] = await db.select().from(scanCursors).where(eq(scanCursors.network, network));
  if (cursor === undefined || seen.block > cursor.firstBlock) return false;
  const isIt = eq(observedTransfers.fact, factOf(network, seen));
  return (await db.select({ fact: observedTransfers.fact }).from(observedTransfers).where(isIt)).length === 0;
}
