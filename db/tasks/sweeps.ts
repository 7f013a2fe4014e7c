import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { accounts as names } from '../../core/ledger.ts';
import type { Network } from '../../core/networks.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { isOfKind } from '../transfers/find.ts';
import { balanceOf } from '../transfers/holdings.ts';
import { planTransfer } from '../transfers/reserve.ts';

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
    const place = { network, fromAddress: task, toAddress: treasury, sourceAccount: null };
    const sweep = { id: options.id, purpose: 'sweep' as const, ...place, amountMicroUsdc: amount };
    await planTransfer(db, store.tables, sweep, options.nowMs);
    return true;
  });
}

async function amountToSweep(db: Db, tables: Tables, place: SweepPlace, min: bigint): Promise<bigint | null> {
  const amount = await balanceOf(db, names.chain(place.network, place.task));
  if (amount === 0n) return null;
  const { transfers } = tables;
  const fromThere = and(eq(transfers.network, place.network), eq(transfers.fromAddress, place.task));
  const [open] = await db
    .select({ id: transfers.id })
    .from(transfers)
    .where(and(fromThere, isOfKind(tables, 'sweep'), isOpen(tables)))
    .limit(1);
  if (open !== undefined) return null;
  return amount >= min || (await doPayoutsWait(db, tables, place)) ? amount : null;
}

function isOpen({ transfers }: Tables): SQL {
  return inArray(transfers.status, ['queued', 'assigned', 'broadcast']);
}

/** Whether the treasury lacks what payouts are about to take from it. */
async function doPayoutsWait(db: Db, tables: Tables, { network, treasury }: SweepPlace): Promise<boolean> {
  const { transfers } = tables;
  const [wanted] = await db
    .select({ sum: sql<string>`coalesce(sum(${transfers.amountMicroUsdc}), 0)` })
    .from(transfers)
    .where(and(eq(transfers.network, network), isOfKind(tables, 'payout'), isOpen(tables)));
  return BigInt(wanted?.sum ?? 0) > (await balanceOf(db, names.chain(network, treasury)));
}
