import { and, eq, gt, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import { accounts as names } from '../../core/ledger.ts';
import type { Network } from '../../core/networks.ts';
import { cameTo } from '../rotations/waiting.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { isOfKind } from '../transfers/find.ts';
import { balanceOf } from '../transfers/holdings.ts';
import { planTransfer } from '../transfers/reserve.ts';

/** Where the money lies, and where it is paid out from. */
export type SweepPlace = { network: Network; address: string; treasury: string };

/** `isReplaced`: payouts wait until what funds them was moved from there, however little it is. */
type Sweeping = { minMicroUsdc: bigint; isReplaced?: boolean };

/**
 * Plans to move all that is explained at an address of ours to the treasury, as far as it can no longer vanish and nothing
 * signed will take it. What is not booked is not touched. One at a time, when it is worth its fee, or when payouts wait for it.
 */
export async function planSweep(
  store: Store,
  place: SweepPlace,
  options: Sweeping & { id: string; nowMs: number },
): Promise<boolean> {
  // Read beside the writer first: there is hardly ever anything to move.
  if ((await amountToSweep(store.read, store.tables, place, options)) === null) {
    return false;
  }
  return store.tx(async (db) => {
    const amount = await amountToSweep(db, store.tables, place, options);
    if (amount === null) return false;
    const { network, address: fromAddress, treasury: toAddress } = place;
    const ends = { network, fromAddress, toAddress, sourceAccount: null };
    const sweep = { id: options.id, purpose: 'sweep' as const, ...ends, amountMicroUsdc: amount };
    await planTransfer(db, store.tables, sweep, options.nowMs);
    return true;
  });
}

async function amountToSweep(db: Db, tables: Tables, place: SweepPlace, sweeping: Sweeping): Promise<bigint | null> {
  const { minMicroUsdc: min, isReplaced = false } = sweeping;
  const balance = await balanceOf(db, names.chain(place.network, place.address));
  if (balance === 0n) return null;
  const { transfers } = tables;
  const fromThere = and(eq(transfers.network, place.network), eq(transfers.fromAddress, place.address));
  const [open] = await db
    .select({ id: transfers.id })
    .from(transfers)
    .where(and(fromThere, isOfKind(tables, 'sweep'), isOpen(tables)))
    .limit(1);
  if (open !== undefined) return null;
  const there = balance - (await leftUnbooked(db, tables, place));
  const amount = there - (await signedFor(db, tables, place)) - (await unsafeAt(db, tables, place));
  if (amount <= 0n) return null;
  const isWanted = async () => isReplaced && (await isWaitedFor(db, tables, place));
  return amount >= min || (await doPayoutsWait(db, tables, place)) || (await isWanted()) ? amount : null;
}

function isOpen({ transfers }: Tables): SQL {
  return inArray(transfers.status, ['queued', 'assigned', 'broadcast']);
}

/** Left a former address and is not final yet: a sweep of it would never land. */
async function leftUnbooked(db: Db, { observedTransfers: seen }: Tables, { network, address }: SweepPlace) {
  const left = and(eq(seen.network, network), eq(seen.fromAddress, address), eq(seen.outgoing, true));
  const [row] = await db
    .select({ sum: sql<string>`cast(coalesce(sum(${seen.amountMicroUsdc}), 0) as text)` })
    .from(seen)
    .where(and(left, eq(seen.landed, true), isNull(seen.consumedBy)));
  return BigInt(row?.sum ?? 0);
}

/** Whether a payout is queued whose money came there. */
async function isWaitedFor(db: Db, tables: Tables, place: SweepPlace) {
  const { transfers } = tables;
  const isWaiting = and(eq(transfers.status, 'queued'), cameTo(tables, place));
  const [waiting] = await db.select({ id: transfers.id }).from(transfers).where(isWaiting).limit(1);
  return waiting !== undefined;
}

/** What payouts take that left before this address was replaced as treasury. */
async function signedFor(db: Db, { transfers }: Tables, { network, address }: SweepPlace): Promise<bigint> {
  const isSigned = inArray(transfers.status, ['assigned', 'broadcast']);
  const [signed] = await db
    .select({ sum: sql<string>`coalesce(sum(${transfers.amountMicroUsdc}), 0)` })
    .from(transfers)
    .where(and(eq(transfers.network, network), eq(transfers.fromAddress, address), isSigned));
  return BigInt(signed?.sum ?? 0);
}

/** What payments brought in blocks that a reorganisation could still take back: it would be missing there. */
async function unsafeAt(db: Db, { payments, scanCursors }: Tables, { network, address }: SweepPlace): Promise<bigint> {
  const [unsafe] = await db
    .select({ sum: sql<string>`coalesce(sum(${payments.sumMicroUsdc} + ${payments.feeMicroUsdc}), 0)` })
    .from(payments)
    .innerJoin(scanCursors, eq(scanCursors.network, payments.network))
    .where(
      and(
        eq(payments.network, network),
        eq(payments.status, 'settled'),
        eq(payments.payTo, address),
        isNull(payments.landedAddress),
        gt(payments.landedBlock, scanCursors.safeBlock),
      ),
    );
  return BigInt(unsafe?.sum ?? 0);
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
