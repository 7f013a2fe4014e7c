import { and, eq, inArray, like, ne, notInArray, sql } from 'drizzle-orm';
import { accounts as names } from '../../core/ledger.ts';
import type { Network } from '../../core/networks.ts';
import { isHolding } from '../ledger/ledger.ts';
import type { Db } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { balanceOf } from './holdings.ts';

/** The parts of what the operator may spend on a network. */
export type Float = {
  /** The operator's own money there, by the books. */
  own: bigint;
  /** Came to float with payouts on other networks that are not final: if one dies, its part goes back to escrow. */
  promised: bigint;
  /** What a reorganisation has cost there: it is the float that has to make up for it. */
  lost: bigint;
  /** On addresses of ours that send no payouts. */
  elsewhere: bigint;
  /** What may be spent; never below zero. */
  available: bigint;
};

/**
 * Whether the operator's own money at the treasury covers an amount, for a payout that is reserved in the same
 * transaction. The account is written to before anything is read, so that two who spend it go one after the other. What
 * is answered here is stricter than the account's own check, which must never be what stops a payout.
 */
export async function floatCovers(
  db: Db,
  tables: Tables,
  place: { network: Network; treasury: string },
  amount: bigint,
): Promise<boolean> {
  const { accounts } = tables;
  await db
    .update(accounts)
    .set({ balance: sql`${accounts.balance}` })
    .where(eq(accounts.name, names.float(place.network)));
  return (await readFloat(db, tables, place)).available >= amount;
}

export async function readFloat(
  db: Db,
  tables: Tables,
  { network, treasury }: { network: Network; treasury: string },
): Promise<Float> {
  const { accounts } = tables;
  const own = -(await balanceOf(db, names.float(network)));
  const lost = await balanceOf(db, names.reorgLoss(network));
  const promised = await promisedOf(db, tables, network);
  const [others] = await db
    .select({ sum: sql<string>`coalesce(sum(${accounts.balance}), 0)` })
    .from(accounts)
    .where(
      and(
        isHolding(tables),
        like(accounts.name, names.chain(network, '%')),
        ne(accounts.name, names.chain(network, treasury)),
      ),
    );
  const elsewhere = BigInt(others?.sum ?? 0);
  const left = own - promised - lost - elsewhere;
  return { own, promised, lost, elsewhere, available: left > 0n ? left : 0n };
}

/**
 * What payouts on other networks brought to float here and may have to take back: as long as they are not final
 * themselves, and as long as the payment that funds them is not.
 */
export async function promisedOf(db: Db, { lines, payments, transfers }: Tables, network: Network): Promise<bigint> {
  const sum = sql<string>`coalesce(sum(${transfers.amountMicroUsdc}), 0)`;
  const [onTheirWay] = await db
    .select({ sum })
    .from(transfers)
    .where(and(eq(transfers.crossFrom, network), notInArray(transfers.status, ['final', 'void'])));
  const [notFinal] = await db
    .select({ sum })
    .from(payments)
    .innerJoin(lines, eq(lines.paymentId, payments.id))
    .innerJoin(transfers, and(eq(transfers.id, lines.payoutId), eq(transfers.crossFrom, network)))
    .where(
      and(
        inArray(payments.status, ['settling', 'settled']),
        eq(payments.network, network),
        eq(transfers.status, 'final'),
      ),
    );
  return BigInt(onTheirWay?.sum ?? 0) + BigInt(notFinal?.sum ?? 0);
}
