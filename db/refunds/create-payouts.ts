import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { type Network, networkNamed } from '../../core/networks.ts';
import type { TransferIdOf } from '../../core/transfers/source.ts';
import { tellPayout } from '../events/tell.ts';
import type { Db, Store } from '../store/store.ts';
import type { TransferRow } from '../payments/records/find.ts';
import { sourceOfRefund } from '../transfers/line-source.ts';
import { planTransfer } from '../transfers/reserve.ts';

type RefundRow = Store['tables']['refunds']['$inferSelect'];

/** To whom something is owed: a payer and, on Solana, the token account that it goes back to. */
export type Owed = {
  payer: string;
  payerAccount: string | null;
  /** Not null: its payout waits for the operator, so it shares none with what goes out by itself. */
  heldReason?: string | null;
};

/** Payers to whom enough is owed on a network to be worth a transfer. */
export async function payersOwed(store: Store, network: Network, minMicroUsdc: bigint): Promise<Owed[]> {
  const { refunds } = store.tables;
  return store.read
    .select({ payer: refunds.payer, payerAccount: refunds.payerAccount, heldReason: refunds.heldReason })
    .from(refunds)
    .where(and(eq(refunds.network, network), isNull(refunds.payoutId)))
    .groupBy(refunds.payer, refunds.payerAccount, refunds.heldReason)
    .having(sql`sum(${refunds.amountMicroUsdc}) >= ${minMicroUsdc}`);
}

/** One payout for all that is owed to a payer; null when another process has just made it. */
export async function createRefundPayout(
  store: Store,
  owed: Owed & { network: Network; minMicroUsdc: bigint },
  transferIdOf: TransferIdOf,
  nowMs: number,
): Promise<string | null> {
  return store.tx(async (db) => {
    const { refunds } = store.tables;
    const open = await db
      .select()
      .from(refunds)
      .where(
        and(
          eq(refunds.network, owed.network),
          eq(refunds.payer, owed.payer),
          owed.payerAccount === null ? isNull(refunds.payerAccount) : eq(refunds.payerAccount, owed.payerAccount),
          owed.heldReason ? eq(refunds.heldReason, owed.heldReason) : isNull(refunds.heldReason),
          isNull(refunds.payoutId),
        ),
      )
      .orderBy(refunds.createdAtMs);
    const amount = open.reduce((sum, refund) => sum + refund.amountMicroUsdc, 0n);
    const [first] = open;
    if (first === undefined || amount < owed.minMicroUsdc) return null;
    const planned = await planRefund(db, store, first, {
      payoutId: await lowestId(db, store, open, transferIdOf),
      amount,
      nowMs,
    });
    await assign(db, store, open, planned.id);
    if (planned.status === 'held') await tellPayout(db, store.tables, planned.id, 'held', nowMs);
    return planned.id;
  });
}

/** One payout for several lines has the lowest of their ids, so that the same lines gather under the same one. */
async function lowestId(
  db: Db,
  { tables }: Store,
  open: readonly RefundRow[],
  transferIdOf: TransferIdOf,
): Promise<string> {
  const ids = [];
  for (const refund of open) ids.push(transferIdOf(await sourceOfRefund(db, tables, refund)));
  const [lowest] = ids.sort();
  if (lowest === undefined) throw new Error('a payout of refunds must give something back');
  return lowest;
}

type NewPayout = { payoutId: string; amount: bigint; nowMs: number };

async function planRefund(
  db: Db,
  store: Store,
  refund: RefundRow,
  { payoutId, amount, nowMs }: NewPayout,
): Promise<TransferRow> {
  const transfer = {
    id: payoutId,
    network: networkNamed(refund.network),
    purpose: 'refund' as const,
    sourceAccount: refund.account,
    fromAddress: refund.fromAddress,
    toAddress: refund.payer,
    toAccount: refund.payerAccount,
    amountMicroUsdc: amount,
    status: refund.heldReason === null ? ('queued' as const) : ('held' as const),
    heldReason: refund.heldReason,
  };
  return planTransfer(db, store.tables, transfer, nowMs);
}

async function assign(db: Db, store: Store, open: readonly RefundRow[], payoutId: string): Promise<void> {
  const { lines, refunds } = store.tables;
  const ids = open.map(({ id }) => id);
  const taken = await db
    .update(refunds)
    .set({ payoutId })
    .where(and(inArray(refunds.id, ids), isNull(refunds.payoutId)))
    .returning({ id: refunds.id });
  if (taken.length !== open.length) throw new Error(`${open.length - taken.length} refunds were taken meanwhile`);
  const txnIds = open.flatMap(({ txnId }) => txnId ?? []);
  if (txnIds.length === 0) return;
  await db
    .update(lines)
    .set({ payoutId })
    .where(and(inArray(lines.txnId, txnIds), eq(lines.status, 'returning'), isNull(lines.payoutId)));
}
