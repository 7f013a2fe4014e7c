import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import { inboundProven, type Credit, type Entry } from '../../core/ledger.ts';
import type { TransferIdOf } from '../../core/transfers/source.ts';
import { tellPayment } from '../events/tell.ts';
import { releaseLoads } from './loads.ts';
import { liveWalletsOf } from '../identities/live-wallets.ts';
import { postEntries } from '../ledger/ledger.ts';
import { move } from '../store/move.ts';
import { enqueueAll } from '../store/outbox.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import { createPayout, findRoute, openWallets, type CreateDependencies, type Owed } from '../transfers/create.ts';
import { readPayoutSettings } from '../limits/settings.ts';
import type { Db } from '../store/store.ts';
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

/** A payment whose transfer the chain has shown. */
export type Paid = { payment: PaymentRow; landed: Landing };

/** One payment alone, as below. False: it was not waiting for its transfer. */
export async function settlePayment(
  db: Db,
  dependencies: SettleDependencies,
  payment: PaymentRow,
  landed: Landing,
): Promise<boolean> {
  return (await settlePayments(db, dependencies, [{ payment, landed }])).length > 0;
}

/**
 * The chain has shown the transfers of these payments. Writes the states, the ledger entries, a payout for each recipient who
 * can be paid (the rest waits in escrow), and the answers: what is alike for all of them in one statement, because others
 * wait for the ledger. Runs inside the scan's transaction. Answers those that were waiting for their transfers.
 */
export async function settlePayments(
  db: Db,
  dependencies: SettleDependencies,
  paid: readonly Paid[],
): Promise<PaymentRow[]> {
  const { tables, nowMs } = dependencies;
  const moved = new Set<string>();
  for (const group of inOneTransaction(paid, nowMs))
    for (const id of await moveToSettled(db, tables, group)) moved.add(id);
  // Each once, whatever it is asked.
  const settled = paid.filter(({ payment }) => moved.delete(payment.id));
  if (settled.length === 0) return [];
  const payments = settled.map(({ payment }) => payment);
  const linesOf = await readLinesOf(db, tables, payments);
  const entries: Entry[] = [];
  for (const { payment, landed } of settled) {
    const feeLeft = await hasFeeLeft(db, tables, payment);
    const lines = linesOf.get(payment.id) ?? [];
    entries.push(inboundProven(inboundEvent(payment, lines, { ...landed, feeLeft })));
  }
  await postEntries(db, tables, entries, nowMs);
  await releaseLoads(db, tables, payments);
  await settleLines(db, dependencies, payments, linesOf);
  return payments;
}

type Group = { ids: string[]; transaction: string; block: number; atMs: number };

/** Those that landed in one transaction and settle for the first time share all that the move writes. */
function inOneTransaction(paid: readonly Paid[], nowMs: number): Group[] {
  const groups = new Map<string, Group>();
  for (const { payment, landed } of paid) {
    const { transaction, block } = landed;
    const atMs = payment.settledAtMs ?? nowMs;
    const key = `${transaction} ${block} ${atMs}`;
    const group = groups.get(key) ?? { ids: [], transaction, block, atMs };
    group.ids.push(payment.id);
    groups.set(key, group);
  }
  return [...groups.values()];
}

async function moveToSettled(db: Db, tables: Tables, { ids, transaction, block, atMs }: Group): Promise<string[]> {
  const [id, ...more] = ids;
  if (id !== undefined && more.length === 0) {
    return (await moveOneToSettled(db, { id, transaction, block, nowMs: atMs })).map((row) => row.id);
  }
  const rows = await move(db, tables.payments, {
    where: inArray(tables.payments.id, ids),
    set: { status: 'settled', landedTransaction: transaction, landedBlock: block, settledAtMs: atMs },
  });
  return rows.map((row) => row.id);
}

const moveOneToSettled = prepare((db, { payments }) =>
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
  payments: readonly PaymentRow[],
  linesOf: ReadonlyMap<string, LineRow[]>,
): Promise<void> {
  const { tables, nowMs } = dependencies;
  const waits = ({ status }: LineRow) => status === 'accepted' || status === 'escrowed';
  const waiting = [...linesOf.values()].flat().filter(waits);
  const live = await liveWalletsOf(db, tables, new Set(waiting.map(({ identityId }) => identityId)), nowMs);
  const settings = await readPayoutSettings(db, tables);
  const escrowed: number[] = [];
  const answered: string[] = [];
  for (const payment of payments) {
    const planning = { ...dependencies, settings, rooms: new Map(), live };
    const settled: SettledLine[] = [];
    for (const line of linesOf.get(payment.id) ?? []) {
      const owed = { payment, line };
      settled.push(waits(line) ? await settleLine(db, planning, owed, escrowed) : { ...line, payoutStatus: null });
    }
    if (payment.answer !== null) continue;
    await storeAnswer(db, { id: payment.id, answer: JSON.stringify(dependencies.answerFor(payment, settled)) });
    await tellPayment(db, tables, payment, linesOf.get(payment.id) ?? [], nowMs);
    answered.push(payment.id);
  }
  await moveToEscrow(db, tables, escrowed);
  await enqueueAll(
    db,
    tables,
    'payment_settled',
    answered.map((paymentId) => ({ paymentId })),
    nowMs,
  );
}

const storeAnswer = prepare((db, { payments }) =>
  db
    .update(payments)
    .set({ answer: sql`${placeholder('answer')}` })
    .where(eq(payments.id, placeholder('id'))),
);

/** `escrowed` collects the lines that wait. */
async function settleLine(
  db: Db,
  dependencies: CreateDependencies,
  owed: Owed,
  escrowed: number[],
): Promise<SettledLine> {
  const { line } = owed;
  const route = await findRoute(db, dependencies, owed);
  if (route === null) {
    escrowed.push(line.txnId);
    return { ...line, status: 'escrowed', payoutStatus: null };
  }
  const { payoutId, status } = await createPayout(db, dependencies, owed, route);
  return { ...line, status: 'paying', payoutId, payoutStatus: status };
}

async function moveToEscrow(db: Db, { lines }: Tables, txnIds: readonly number[]): Promise<void> {
  if (txnIds.length === 0) return;
  const set = { status: 'escrowed' } as const;
  await move(db, lines, { from: ['accepted'], where: inArray(lines.txnId, [...txnIds]), set });
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
 * What the landing credits now. While the payment was settled a line may have changed hands (its name was resolved) or
 * left; the credit is then undone, and made again, where the money went.
 */
export function inboundEvent(
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
export async function hasFeeLeft(db: Db, tables: Tables, payment: PaymentRow): Promise<boolean> {
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

async function readLinesOf(
  db: Db,
  { lines }: Tables,
  payments: readonly PaymentRow[],
): Promise<ReadonlyMap<string, LineRow[]>> {
  const [one, ...more] = payments.map(({ id }) => id);
  if (one !== undefined && more.length === 0) return new Map([[one, await readLines(db, one)]]);
  const ids = payments.map(({ id }) => id);
  const rows = await db
    .select()
    .from(lines)
    .where(inArray(lines.paymentId, ids))
    .orderBy(lines.paymentId, lines.position);
  const found = new Map<string, LineRow[]>(ids.map((id) => [id, []]));
  for (const row of rows) found.get(row.paymentId)?.push(row);
  return found;
}

export async function readLines(db: Db, paymentId: string): Promise<LineRow[]> {
  return selectLines(db, { paymentId });
}

const selectLines = prepare((db, { lines }) =>
  db
    .select()
    .from(lines)
    .where(eq(lines.paymentId, placeholder('paymentId')))
    .orderBy(lines.position),
);
