import { and, eq, gt, sql } from 'drizzle-orm';
import { inboundProven, inboundUndone, type Credit } from '../../core/ledger.ts';
import type { TransferIdOf } from '../../core/transfers/source.ts';
import { tellPayment, tellTasksOf } from '../events/tell.ts';
import { postEntry } from '../ledger/ledger.ts';
import { move } from '../store/move.ts';
import { enqueue } from '../store/outbox.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import { createPayout, findRoute, openWallets, type CreateDependencies, type Owed } from '../transfers/create.ts';
import { holdsAtLeast } from '../transfers/holdings.ts';
import { readPayoutSettings } from '../limits/settings.ts';
import type { Db } from '../store/store.ts';
import { stopSigningWithin } from '../store/stops.ts';
import type { Tables } from '../schema/tables.ts';
import type { LineRow, PaymentRow } from './records/find.ts';

export type Landing = { fact: string; landing: number; transaction: string; block: number };

export type SettleDependencies = {
  tables: Tables;
  transferIdOf: TransferIdOf;
  /** The 200 that callers get, now and for ever. */
  answerFor: (payment: PaymentRow, lines: readonly SettledLine[]) => Record<string, unknown>;
  nowMs: number;
};

/** What settling made of a line; `payoutStatus` is null where it has no payout yet. */
export type SettledLine = LineRow & { payoutStatus: 'queued' | 'held' | null };

/**
 * The chain has shown a payment's transfer. Writes the state, the ledger entry, a payout for each recipient who
 * can be paid (the rest waits in escrow), and the answer. Runs inside the scan's transaction; does nothing when the
 * payment is not waiting for its transfer.
 */
export async function settlePayment(
  db: Db,
  dependencies: SettleDependencies,
  payment: PaymentRow,
  landed: Landing,
): Promise<boolean> {
  const { tables, nowMs } = dependencies;
  const { transaction, block } = landed;
  const moved = await moveToSettled(db, { id: payment.id, transaction, block, nowMs: payment.settledAtMs ?? nowMs });
  if (moved.length === 0) return false;
  const lines = await readLines(db, payment.id);
  const feeLeft = await hasFeeLeft(db, tables, payment);
  await postEntry(db, tables, inboundProven(inboundEvent(payment, lines, { ...landed, feeLeft })), nowMs);
  await releaseLoad(db, tables, payment.payer);
  await settleLines(db, dependencies, payment, lines);
  return true;
}

const moveToSettled = prepare((db, { payments }) =>
  move(db, payments, {
    where: eq(payments.id, placeholder('id')),
    set: {
      status: 'settled',
      landedTransaction: sql`${placeholder('transaction')}`,
      landedBlock: sql`${placeholder('block')}`,
      settledAtMs: sql`${placeholder('nowMs')}`,
    },
  }),
);

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
  const planning = { ...dependencies, settings: await readPayoutSettings(db, tables), rooms: new Map() };
  const settled: SettledLine[] = [];
  for (const line of lines) {
    const waits = line.status === 'accepted' || line.status === 'escrowed';
    const owed = { payment, line };
    settled.push(waits ? await settleLine(db, planning, owed) : { ...line, payoutStatus: null });
  }
  if (payment.answer !== null) return;
  await storeAnswer(db, { id: payment.id, answer: JSON.stringify(dependencies.answerFor(payment, settled)) });
  await enqueue(db, tables, 'payment_settled', { paymentId: payment.id }, nowMs);
  await tellPayment(db, tables, payment, lines, nowMs);
  await tellTasksOf(db, tables, payment, 'task_completed', nowMs);
}

const storeAnswer = prepare((db, { payments }) =>
  db
    .update(payments)
    .set({ answer: sql`${placeholder('answer')}` })
    .where(eq(payments.id, placeholder('id'))),
);

async function settleLine(db: Db, dependencies: CreateDependencies, owed: Owed): Promise<SettledLine> {
  const { line } = owed;
  const route = await findRoute(db, dependencies, owed);
  if (route === null) {
    await moveToEscrow(db, { txnId: line.txnId });
    return { ...line, status: 'escrowed', payoutStatus: null };
  }
  const { payoutId, status } = await createPayout(db, dependencies, owed, route);
  return { ...line, status: 'paying', payoutId, payoutStatus: status };
}

const moveToEscrow = prepare((db, { lines }) =>
  move(db, lines, {
    from: ['accepted'],
    where: eq(lines.txnId, placeholder('txnId')),
    set: { status: 'escrowed' },
  }),
);

/**
 * If the person has a wallet on the network that the money came in on, with room for it: reserves the line's money and writes
 * its payout; else null. The line must be in escrow in the ledger and have no payout yet.
 */
export async function createLinePayout(
  db: Db,
  dependencies: Pick<SettleDependencies, 'tables' | 'transferIdOf' | 'nowMs'>,
  payment: PaymentRow,
  line: LineRow,
): Promise<string | null> {
  const { tables } = dependencies;
  const planning = { ...dependencies, settings: await readPayoutSettings(db, tables), rooms: new Map() };
  const open = await openWallets(db, planning, line);
  const { network } = payment;
  const toAddress = open.find((wallet) => wallet.network === network)?.address;
  if (toAddress === undefined) return null;
  const route = { network, fromAddress: payment.payTo, toAddress, crossFrom: null };
  return (await createPayout(db, planning, { payment, line }, route)).payoutId;
}

/**
 * The block that settled it is gone: back to `settling`, and the entry is reversed. The answer stays. Where its money has
 * been spent by something that the books do not know, nothing can be reversed: it stays as it is, which stops signing
 * until it has landed again or an operator has looked, and the chain is read on.
 */
export async function unsettlePayment(
  db: Db,
  tables: Tables,
  payment: PaymentRow,
  landed: Pick<Landing, 'fact' | 'landing'>,
  nowMs: number,
): Promise<void> {
  const total = payment.sumMicroUsdc + payment.feeMicroUsdc;
  const place = { network: payment.network, address: arrivedAt(payment) };
  if (!(await holdsAtLeast(db, tables, place, total))) {
    const detail = `payment ${payment.id} was reorganised away, and its ${total} micro-USDC are spent`;
    const stop = { reason: 'books_behind_chain', network: payment.network, detail } as const;
    return stopSigningWithin(db, { tables }, stop, nowMs);
  }
  const moved = await move(db, tables.payments, {
    from: ['settled'],
    where: eq(tables.payments.id, payment.id),
    set: { status: 'settling', landedTransaction: null, landedBlock: null, nextTryAtMs: nowMs },
  });
  if (moved.length === 0) throw new Error(`payment ${payment.id} cannot be unsettled from ${payment.status}`);
  const lines = await readLines(db, payment.id);
  const feeLeft = await hasFeeLeft(db, tables, payment);
  await postEntry(db, tables, inboundUndone(inboundEvent(payment, lines, { ...landed, feeLeft })), nowMs);
  await db
    .update(tables.payerLoads)
    .set({ unsettled: sql`${tables.payerLoads.unsettled} + 1` })
    .where(eq(tables.payerLoads.payer, payment.payer));
}

/** One proof fewer on its way for this payer. */
export async function releaseLoad(db: Db, _tables: Tables, payer: string): Promise<void> {
  await takeLoad(db, { payer });
}

const takeLoad = prepare((db, { payerLoads }) =>
  db
    .update(payerLoads)
    .set({ unsettled: sql`${payerLoads.unsettled} - 1` })
    .where(eq(payerLoads.payer, placeholder('payer'))),
);

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
    network: payment.network,
    address: arrivedAt(payment),
    fact: landed.fact,
    landing: landed.landing,
    fee: payment.feeMicroUsdc,
    // What paid for its cost never goes back.
    feeReturned: landed.feeLeft ? payment.feeMicroUsdc - payment.costMicroUsdc : 0n,
    credits,
  };
}

/** Which address of ours holds what this payment brought, as long as nothing has moved it on. */
export function arrivedAt({ landedAddress, payTo }: Pick<PaymentRow, 'landedAddress' | 'payTo'>): string {
  return landedAddress ?? payTo;
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

async function readLines(db: Db, paymentId: string): Promise<LineRow[]> {
  return selectLines(db, { paymentId });
}

const selectLines = prepare((db, { lines }) =>
  db
    .select()
    .from(lines)
    .where(eq(lines.paymentId, placeholder('paymentId')))
    .orderBy(lines.position),
);
