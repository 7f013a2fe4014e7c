import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import { equalShares, toNativeUnits, type NativeCost } from '../../core/costs/native-costs.ts';
import { gasSpent } from '../../core/ledger.ts';
import { familyOf, type Family, type Network } from '../../core/networks.ts';
import type { CarrierKind } from '../../core/transfers/carriers.ts';
import type { TransferPurpose } from '../../core/transfers/purposes.ts';
import { postEntry } from '../ledger/ledger.ts';
import { payerAccountId } from '../ledger/payer-account.ts';
import { costCounters } from './counters.ts';
import { dayOf } from '../limits/daily.ts';
import { addWithin } from '../store/counters.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import type { Db, Store } from '../store/store.ts';

/** What a transaction of ours has cost, as its receipt shows it; below zero where more came back. */
export type Cost = {
  carrier: { id: string; network: Network; kind: CarrierKind; sender: string };
  transaction: string;
  amount: bigint;
  /** The part of it that is rent of accounts which it opened, by their owner. */
  rents: readonly Rent[];
};

export type Rent = { owner: string; amount: bigint };

/** Who caused a part of it, by what the carrier was signed for. */
type Cause = {
  itemId: string;
  kind: NativeCost;
  payer: string | null;
  recipient: string | null;
  to: string | null;
  paymentId: string | null;
};

const UNIT = { evm: 'wei', svm: 'lamports' } as const satisfies Record<Family, string>;

const KINDS = {
  payout: 'payout',
  refund: 'refund',
  operator_withdrawal: 'withdrawal',
  sweep: 'sweep',
  wallet_withdrawal: 'withdrawal',
} as const satisfies Record<TransferPurpose, NativeCost>;

/**
 * Books what a transaction cost, once it can no longer be rolled back: in the ledger as a sum, and against each payment
 * and transfer that caused it. Those in one transaction have equal parts of its fee, landed or not; rent is caused by the
 * one whose account was opened.
 */
export async function bookCost(db: Db, store: Store, cost: Cost, nowMs: number): Promise<void> {
  const { carrier, transaction, amount } = cost;
  const { network, sender: lane } = carrier;
  const family = familyOf(network);
  await postEntry(db, store.tables, gasSpent({ network, lane, transaction, unit: UNIT[family], amount }), nowMs);
  const parts = divide(cost, await causesOf(db, store, carrier));
  const day = dayOf(nowMs);
  const rows = parts.map(({ to: _to, paymentId: _id, payer, amount: part, ...cause }) => ({
    ...cause,
    network,
    transaction,
    day,
    payer: payer === null ? null : payerAccountId(payer),
    amount: part.toString(),
  }));
  await db.insert(store.tables.nativeCosts).values(rows);
  const [gas, rent] = [false, true].map((isRent) => parts.filter(({ kind }) => (kind === 'rent') === isRent));
  await addWithin(db, store, costCounters.gas(network, day), await beyondPrepaid(db, store, gas ?? [], family));
  if (rent === undefined || rent.length === 0) return;
  const rentUnits = rent.reduce((sum, part) => sum + toNativeUnits(family, part.amount), 0n);
  await addWithin(db, store, costCounters.rent(network, day), rentUnits);
}

type Part = Cause & { amount: bigint };

/**
 * What counts against the day: all but what the payment has bought, or was granted from the budget when it was reserved. Takes
 * that from the payment.
 */
async function beyondPrepaid(db: Db, { tables }: Store, parts: readonly Part[], family: Family): Promise<bigint> {
  const { payments } = tables;
  const ids = [...new Set(parts.flatMap(({ paymentId }) => paymentId ?? []))];
  const rows = await db
    .select({ id: payments.id, prepaid: payments.costPrepaid })
    .from(payments)
    .where(and(inArray(payments.id, ids), gt(payments.costPrepaid, 0n)));
  const prepaid = new Map(rows.map((row) => [row.id, row.prepaid]));
  let beyond = 0n;
  for (const { paymentId, amount } of parts) {
    const units = toNativeUnits(family, amount);
    const left = prepaid.get(paymentId ?? '') ?? 0n;
    const used = units < left ? units : left;
    if (used > 0n) prepaid.set(paymentId ?? '', left - used);
    beyond += used > 0n ? units - used : units;
  }
  for (const { id, prepaid: before } of rows) {
    const costPrepaid = prepaid.get(id) ?? before;
    if (costPrepaid !== before) await storePrepaid(db, { id, costPrepaid });
  }
  return beyond;
}

const storePrepaid = prepare((db, { payments }) =>
  db
    .update(payments)
    .set({ costPrepaid: sql`${placeholder('costPrepaid')}` })
    .where(eq(payments.id, placeholder('id'))),
);

function divide({ amount, rents }: Cost, causes: readonly Cause[]): Part[] {
  const rent = rents.reduce((sum, one) => sum + one.amount, 0n);
  const fees = equalShares(amount - rent, causes.length);
  const parts = causes.map((cause, index) => ({ ...cause, amount: fees[index] ?? 0n }));
  const byItem = new Map<string, Part>();
  for (const { owner, amount: paid } of rents) {
    const cause = causes.find(({ to }) => to === owner) ?? causes[0];
    if (cause === undefined) continue;
    const before = byItem.get(cause.itemId)?.amount ?? 0n;
    byItem.set(cause.itemId, { ...cause, kind: 'rent', amount: before + paid });
  }
  return [...parts, ...byItem.values()];
}

/** In the order of their ids, so that the same transaction is always divided in the same way. */
async function causesOf(db: Db, { tables }: Store, carrier: Cost['carrier']): Promise<[Cause, ...Cause[]]> {
  const { carrierItems } = tables;
  const items = await db
    .select({ id: carrierItems.itemId })
    .from(carrierItems)
    .where(eq(carrierItems.carrierId, carrier.id))
    .orderBy(carrierItems.itemId);
  const ids = items.map(({ id }) => id);
  const known = carrier.kind === 'inbound' ? await paymentsOf(db, tables, ids) : await transfersOf(db, tables, ids);
  const kind = carrier.kind === 'inbound' || carrier.kind === 'payout' ? OF_CARRIER[carrier.kind] : carrier.kind;
  const unknown = { kind, payer: null, recipient: null, to: null, paymentId: null };
  const [first, ...others] = ids.map((itemId) => known.get(itemId) ?? { itemId, ...unknown });
  return first === undefined ? [{ itemId: carrier.id, ...unknown }] : [first, ...others];
}

const OF_CARRIER = { inbound: 'settlement', payout: 'payout' } as const;

async function paymentsOf(db: Db, { payments, lines }: Store['tables'], ids: string[]): Promise<Map<string, Cause>> {
  const rows = await db
    .select({ itemId: payments.id, payer: payments.payer, recipient: lines.identityId })
    .from(payments)
    .leftJoin(lines, eq(lines.paymentId, payments.id))
    .where(inArray(payments.id, ids));
  return byItemId(rows.map((row) => ({ ...row, kind: 'settlement' as const, to: null, paymentId: row.itemId })));
}

async function transfersOf(db: Db, tables: Store['tables'], ids: string[]): Promise<Map<string, Cause>> {
  const { transfers, lines, payments } = tables;
  const rows = await db
    .select({
      itemId: transfers.id,
      purpose: transfers.purpose,
      from: transfers.fromAddress,
      to: transfers.toAddress,
      payer: payments.payer,
      recipient: lines.identityId,
      paymentId: lines.paymentId,
    })
    .from(transfers)
    .leftJoin(lines, eq(lines.payoutId, transfers.id))
    .leftJoin(payments, eq(payments.id, lines.paymentId))
    .where(inArray(transfers.id, ids));
  return byItemId(rows.map(({ purpose, from, ...row }) => ({ ...row, ...causedBy(purpose, row, from) })));
}

/** A refund was caused by its payer, who is no recipient; a withdrawal from a wallet by that wallet. */
function causedBy(
  purpose: TransferPurpose,
  { payer, recipient, to }: Pick<Cause, 'payer' | 'recipient' | 'to'>,
  from: string,
) {
  const kind = KINDS[purpose];
  switch (purpose) {
    case 'payout':
      return { kind, payer, recipient };
    case 'refund':
      return { kind, payer: payer ?? to, recipient: null };
    case 'wallet_withdrawal':
      return { kind, payer: from, recipient: null };
    case 'operator_withdrawal':
    case 'sweep':
      return { kind, payer: null, recipient: null };
  }
}

/** With several lines, none is the recipient. */
function byItemId(rows: readonly Cause[]): Map<string, Cause> {
  const causes = new Map<string, Cause>();
  for (const row of rows) {
    const before = causes.get(row.itemId);
    const isSame = before === undefined || before.recipient === row.recipient;
    causes.set(row.itemId, isSame ? row : { ...before, recipient: null });
  }
  return causes;
}
