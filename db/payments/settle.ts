import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm';
import { inboundProven, inboundUndone, type Credit, type Entry } from '../../core/ledger.ts';
import { groupBy } from '../../core/collections/group-by.ts';
import type { TransferIdOf } from '../../core/transfers/source.ts';
import { tellPayment, tellTasksOf } from '../events/tell.ts';
import { withWallets } from '../identities/live-wallets.ts';
import { postEntries, postEntry } from '../ledger/ledger.ts';
import { move } from '../store/move.ts';
import { enqueueAll } from '../store/outbox.ts';
import { createPayout, findRoute, openWallets } from '../transfers/create.ts';
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

/** A payment and the transfer that the chain has shown for it. */
export type Settling = { payment: PaymentRow; landed: Landing };

/**
 * The chain has shown the transfers of these payments, each of which stands here once. Writes their states, ledger entries, a
 * payout for each recipient who can be paid (the rest waits in escrow), and the answers: for all together, because callers
 * wait for the transaction, and others for its lock. Runs inside the scan's; answers the ids of those that were waiting for
 * their transfer, and does nothing for the others.
 */
export async function settlePayments(
  db: Db,
  dependencies: SettleDependencies,
  landed: readonly Settling[],
): Promise<ReadonlySet<string>> {
  const { tables, nowMs } = dependencies;
  const moved = await moveToSettled(db, tables, landed, nowMs);
  const taken = landed.filter(({ payment }) => moved.has(payment.id));
  if (taken.length === 0) return moved;
  const lines = await readLinesOf(db, tables, taken);
  const entries: Entry[] = [];
  for (const { payment, landed } of taken) {
    const feeLeft = await hasFeeLeft(db, tables, payment);
    entries.push(inboundProven(inboundEvent(payment, lines.get(payment.id) ?? [], { ...landed, feeLeft })));
  }
  await postEntries(db, tables, entries, nowMs);
  await releaseLoads(
    db,
    tables,
    taken.map(({ payment }) => payment.payer),
  );
  await settleLines(
    db,
    dependencies,
    taken.map(({ payment }) => ({ payment, lines: lines.get(payment.id) ?? [] })),
  );
  return moved;
}

/** One statement for each transaction that they landed in. */
async function moveToSettled(
  db: Db,
  { payments }: Tables,
  landed: readonly Settling[],
  nowMs: number,
): Promise<ReadonlySet<string>> {
  const moved = new Set<string>();
  for (const all of groupBy(landed, ({ landed: { transaction, block } }) => `${block}:${transaction}`).values()) {
    const [{ landed: place }] = all;
    const rows = await move(db, payments, {
      where: inArray(
        payments.id,
        all.map(({ payment }) => payment.id),
      ),
      set: {
        status: 'settled',
        landedTransaction: place.transaction,
        landedBlock: place.block,
        settledAtMs: sql`coalesce(${payments.settledAtMs}, ${nowMs})`,
      },
    });
    for (const { id } of rows) moved.add(id);
  }
  return moved;
}

type WithLines = { payment: PaymentRow; lines: readonly LineRow[] };

/**
 * Credits turn into payouts or wait in escrow; those whose owner is not known yet wait under their placeholder. After a
 * reorganisation a payment settles again: lines that already have their payout keep it, and the stored answer stays what
 * it was.
 */
async function settleLines(db: Db, dependencies: SettleDependencies, all: readonly WithLines[]): Promise<void> {
  const { tables, nowMs } = dependencies;
  const settled = await creditLines(db, dependencies, all);
  const fresh = all.filter(({ payment }) => payment.answer === null);
  if (fresh.length === 0) return;
  const answers = fresh.map(({ payment, lines }) => {
    const own = lines.map((line) => settled.get(line.txnId) ?? { ...line, payoutStatus: null });
    return { id: payment.id, answer: JSON.stringify(dependencies.answerFor(payment, own)) };
  });
  await storeAnswers(db, tables, answers);
  const due = fresh.map(({ payment }) => ({ paymentId: payment.id }));
  await enqueueAll(db, tables, 'payment_settled', due, nowMs);
  for (const { payment, lines } of fresh) {
    await tellPayment(db, tables, payment, lines, nowMs);
    await tellTasksOf(db, tables, payment, 'task_completed', nowMs);
  }
}

/** By `txnId`, those that waited: a payout where there is a way to the person, and escrow for all others. */
async function creditLines(
  db: Db,
  dependencies: SettleDependencies,
  all: readonly WithLines[],
): Promise<ReadonlyMap<number, SettledLine>> {
  const { tables } = dependencies;
  const planning = { ...dependencies, settings: await readPayoutSettings(db, tables), rooms: new Map() };
  const waiting = all.flatMap(({ payment, lines }) =>
    lines.filter(({ status }) => status === 'accepted' || status === 'escrowed').map((line) => ({ payment, line })),
  );
  const reachable = await withWallets(
    db,
    tables,
    waiting.map(({ line }) => line.identityId),
  );
  const settled = new Map<number, SettledLine>();
  for (const owed of waiting) {
    const { line } = owed;
    const route = reachable.has(line.identityId) ? await findRoute(db, planning, owed) : null;
    if (route === null) settled.set(line.txnId, { ...line, status: 'escrowed', payoutStatus: null });
    else {
      const { payoutId, status } = await createPayout(db, planning, owed, route);
      settled.set(line.txnId, { ...line, status: 'paying', payoutId, payoutStatus: status });
    }
  }
  const kept = [...settled.values()].filter(({ status }) => status === 'escrowed').map(({ txnId }) => txnId);
  if (kept.length > 0)
    await move(db, tables.lines, {
      from: ['accepted'],
      where: inArray(tables.lines.txnId, kept),
      set: { status: 'escrowed' },
    });
  return settled;
}

/** In one statement; an answer is written once. */
async function storeAnswers(
  db: Db,
  { payments }: Tables,
  answers: readonly { id: string; answer: string }[],
): Promise<void> {
  const cases = answers.map(({ id, answer }) => sql`when ${id} then ${answer}`);
  await db
    .update(payments)
    .set({ answer: sql`case ${payments.id} ${sql.join(cases, sql` `)} else ${payments.answer} end` })
    .where(
      inArray(
        payments.id,
        answers.map(({ id }) => id),
      ),
    );
}

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
  const lines = (await readLinesOf(db, tables, [{ payment }])).get(payment.id) ?? [];
  const feeLeft = await hasFeeLeft(db, tables, payment);
  await postEntry(db, tables, inboundUndone(inboundEvent(payment, lines, { ...landed, feeLeft })), nowMs);
  await db
    .update(tables.payerLoads)
    .set({ unsettled: sql`${tables.payerLoads.unsettled} + 1` })
    .where(eq(tables.payerLoads.payer, payment.payer));
}

/** One proof fewer on its way for each of these payers, who may stand here more than once. */
export async function releaseLoads(db: Db, { payerLoads }: Tables, payers: readonly string[]): Promise<void> {
  const counts = groupBy(payers, (payer) => payer);
  for (const [count, all] of groupBy(counts.keys(), (payer) => counts.get(payer)?.length ?? 0))
    await db
      .update(payerLoads)
      .set({ unsettled: sql`${payerLoads.unsettled} - ${count}` })
      .where(inArray(payerLoads.payer, all));
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

/** In their order, by the payment. */
async function readLinesOf(
  db: Db,
  { lines }: Tables,
  settling: readonly Pick<Settling, 'payment'>[],
): Promise<ReadonlyMap<string, LineRow[]>> {
  const ids = settling.map(({ payment }) => payment.id);
  const rows = await db.select().from(lines).where(inArray(lines.paymentId, ids)).orderBy(asc(lines.position));
  return groupBy(rows, ({ paymentId }) => paymentId);
}
