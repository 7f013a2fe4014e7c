import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import { accounts, inboundProven, inboundUndone, payoutReserved, type Credit } from '../../core/ledger.ts';
import type { Network } from '../../core/networks.ts';
import { walletOf } from '../identities.ts';
import { postEntry } from '../ledger.ts';
import { enqueue } from '../outbox.ts';
import type { Db } from '../store.ts';
import type { Tables } from '../tables.ts';
import type { LineRow, PaymentRow } from './find.ts';

export type Landing = { fact: string; landing: number; transaction: string; block: number };

export type SettleDependencies = {
  tables: Tables;
  newPayoutId: () => string;
  /** The 200 that callers get, now and for ever. */
  answerFor: (payment: PaymentRow, lines: readonly LineRow[]) => Record<string, unknown>;
  nowMs: number;
};

/**
 * The chain has shown a payment's transfer. Writes the state, the ledger entry, a payout for each recipient whose
 * wallet is known (the rest waits in escrow), and the answer. Runs inside the scan's transaction; does nothing when the
 * payment is not waiting for its transfer.
 */
export async function settlePayment(
  db: Db,
  dependencies: SettleDependencies,
  payment: PaymentRow,
  landed: Landing,
): Promise<boolean> {
  const { tables, nowMs } = dependencies;
  const moved = await db
    .update(tables.payments)
    .set({
      status: 'settled',
      landedTransaction: landed.transaction,
      landedBlock: landed.block,
      settledAtMs: payment.settledAtMs ?? nowMs,
    })
    .where(and(eq(tables.payments.id, payment.id), inArray(tables.payments.status, ['received', 'settling'])))
    .returning({ id: tables.payments.id });
  if (moved.length === 0) return false;
  const lines = await readLines(db, tables, payment.id);
  const feeLeft = await hasFeeLeft(db, tables, payment);
  await postEntry(db, tables, inboundProven(inboundEvent(payment, lines, { ...landed, feeLeft })), nowMs);
  await releaseLoad(db, tables, payment.payer);
  await settleLines(db, dependencies, payment, lines);
  return true;
}

/**
 * Credits turn into payouts or wait in escrow; those whose owner is not known yet wait under their placeholder. After a
 * reorganisation a payment settles again: lines that already have their payout keep it, and the stored answer stays what
 * it was.
 */
async function settleLines(
  db: Db,
  dependencies: SettleDependencies,
  payment: PaymentRow,
  lines: readonly LineRow[],
): Promise<void> {
  const { tables, nowMs } = dependencies;
  const settled: LineRow[] = [];
  for (const line of lines) {
    const waits = line.status === 'accepted' || line.status === 'escrowed';
    settled.push(waits ? await settleLine(db, dependencies, payment, line) : line);
  }
  if (payment.answer !== null) return;
  await db
    .update(tables.payments)
    .set({ answer: dependencies.answerFor(payment, settled) })
    .where(eq(tables.payments.id, payment.id));
  await enqueue(db, tables, 'receipt', `settled:${payment.id}`, nowMs);
}

async function settleLine(
  db: Db,
  dependencies: SettleDependencies,
  payment: PaymentRow,
  line: LineRow,
): Promise<LineRow> {
  const { tables } = dependencies;
  const wallet = await walletOf(db, tables, line.identityId, payment.network);
  if (wallet === null) {
    await db.update(tables.lines).set({ status: 'escrowed' }).where(eq(tables.lines.txnId, line.txnId));
    return { ...line, status: 'escrowed' };
  }
  const payoutId = await createLinePayout(db, dependencies, payment, line, wallet);
  return { ...line, status: 'paying', payoutId };
}

/** Reserves a line's money and writes its payout. The line must be in escrow in the ledger and have no payout yet. */
export async function createLinePayout(
  db: Db,
  dependencies: Pick<SettleDependencies, 'tables' | 'newPayoutId' | 'nowMs'>,
  payment: Pick<PaymentRow, 'network' | 'payTo'>,
  line: LineRow,
  wallet: string,
): Promise<string> {
  const { tables, nowMs } = dependencies;
  const network = payment.network as Network;
  const payoutId = dependencies.newPayoutId();
  const sourceAccount = accounts.escrow(network, line.identityId);
  await db.insert(tables.payouts).values({
    id: payoutId,
    network,
    purpose: 'line',
    sourceAccount,
    fromAddress: payment.payTo,
    toAddress: wallet,
    amountMicroUsdc: line.amountMicroUsdc,
    generation: 0,
    status: 'queued',
    nextTryAtMs: nowMs,
    tries: 0,
    exposed: false,
    createdAtMs: nowMs,
  });
  const linked = await db
    .update(tables.lines)
    .set({ status: 'paying', payoutId })
    .where(and(eq(tables.lines.txnId, line.txnId), inArray(tables.lines.status, ['accepted', 'escrowed'])))
    .returning({ txnId: tables.lines.txnId });
  if (linked.length === 0) throw new Error(`line ${line.txnId} already has its payout`);
  const amount = line.amountMicroUsdc;
  await postEntry(db, tables, payoutReserved({ network, payoutId, generation: 0, sourceAccount, amount }), nowMs);
  await enqueue(db, tables, 'payout', payoutId, nowMs);
  return payoutId;
}

/** The block that settled it is gone: back to `settling`, and the entry is reversed. The answer stays. */
export async function unsettlePayment(
  db: Db,
  tables: Tables,
  payment: PaymentRow,
  landed: Pick<Landing, 'fact' | 'landing'>,
  nowMs: number,
): Promise<void> {
  const moved = await db
    .update(tables.payments)
    .set({ status: 'settling', landedTransaction: null, landedBlock: null, nextTryAtMs: nowMs })
    .where(and(eq(tables.payments.id, payment.id), eq(tables.payments.status, 'settled')))
    .returning({ id: tables.payments.id });
  if (moved.length === 0) throw new Error(`payment ${payment.id} cannot be unsettled from ${payment.status}`);
  const lines = await readLines(db, tables, payment.id);
  const feeLeft = await hasFeeLeft(db, tables, payment);
  await postEntry(db, tables, inboundUndone(inboundEvent(payment, lines, { ...landed, feeLeft })), nowMs);
  await db
    .update(tables.payerLoads)
    .set({ unsettled: sql`${tables.payerLoads.unsettled} + 1` })
    .where(eq(tables.payerLoads.payer, payment.payer));
}

/** One proof fewer on its way for this payer. */
export async function releaseLoad(db: Db, tables: Tables, payer: string): Promise<void> {
  await db
    .update(tables.payerLoads)
    .set({ unsettled: sql`${tables.payerLoads.unsettled} - 1` })
    .where(eq(tables.payerLoads.payer, payer));
}

/**
 * What the landing credits now. While the payment was settled a line may have changed hands (its name was resolved) or
 * left; the credit is then undone, and made again, where the money went.
 */
function inboundEvent(
  payment: PaymentRow,
  lines: readonly LineRow[],
  landed: Pick<Landing, 'fact' | 'landing'> & { feeLeft: boolean },
) {
  const credits: Credit[] = lines.map((line) => ({
    identityId: line.identityId,
    amount: line.amountMicroUsdc,
    left: line.status === 'paying' || line.status === 'returning',
  }));
  return {
    network: payment.network as Network,
    address: payment.payTo,
    fact: landed.fact,
    landing: landed.landing,
    fee: payment.feeMicroUsdc,
    feeLeft: landed.feeLeft,
    credits,
  };
}

/** Whether the fee went back with one of the refunds, which only a payment that was settled before can have. */
async function hasFeeLeft(db: Db, tables: Tables, payment: PaymentRow): Promise<boolean> {
  if (payment.feeMicroUsdc === 0n || payment.answer === null) return false;
  const { lines, refunds } = tables;
  const [row] = await db
    .select({ id: refunds.id })
    .from(refunds)
    .innerJoin(lines, eq(lines.txnId, refunds.txnId))
    .where(and(eq(refunds.paymentId, payment.id), gt(refunds.amountMicroUsdc, lines.amountMicroUsdc)))
    .limit(1);
  return row !== undefined;
}

async function readLines(db: Db, tables: Tables, paymentId: string): Promise<LineRow[]> {
  return db.select().from(tables.lines).where(eq(tables.lines.paymentId, paymentId)).orderBy(tables.lines.position);
}
