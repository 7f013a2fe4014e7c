import { and, asc, eq, isNull, not } from 'drizzle-orm';
import { accounts as names, outflowLost } from '../../core/ledger.ts';
import type { Network } from '../../core/networks.ts';
import { readPayoutSettings } from '../limits/settings.ts';
import { postEntry } from '../ledger/ledger.ts';
import type { TransferRow } from '../payments/records/find.ts';
import { refundWithin } from '../refunds/refund-line.ts';
import { oweSender } from '../refunds/return-transfer.ts';
import { tellPayout } from '../events/tell.ts';
import { leftFormer } from '../rotations/formers.ts';
import { move } from '../store/move.ts';
import { ledgerLock } from '../store/locks.ts';
import type { Db, Store } from '../store/store.ts';
import { holdsAtLeast } from '../transfers/holdings.ts';
import { planTransfer, type NewTransfer } from '../transfers/reserve.ts';
import { addPaid, paidSoFar } from './lost-inbounds.ts';
import type { Candidate, LineCandidate } from './lost-names.ts';
import { landOutflow } from '../scan/land-outflow.ts';
import { landUnder, type Outflow } from './paid-before.ts';

/** `landed`: booked as what it paid for. `lost`: ours, but booked as paid for nothing that the books know. */
export type OutflowEnd = 'landed' | 'lost' | 'unexplained';

/** Ends the transaction of an outflow that does not fit what bears its name. */
class Unfit extends Error {}

export type Reading = { candidates: ReadonlyMap<string, Candidate>; newId: () => string; nowMs: number };

/** What left us and is in no book, the oldest first. */
export async function openOutflows(db: Db, { tables: { observedTransfers: seen } }: Pick<Store, 'tables'>) {
  const isOpen = and(eq(seen.landed, true), eq(seen.outgoing, true), isNull(seen.consumedBy));
  return db.select().from(seen).where(isOpen).orderBy(asc(seen.block), asc(seen.logIndex));
}

/** Those that keep signing stopped. What left a former address has a name of ours, or is booked by the scan as taken. */
export async function stoppingOutflows(db: Db, { tables }: Pick<Store, 'tables'>) {
  const { observedTransfers: seen } = tables;
  const isOpen = and(eq(seen.landed, true), eq(seen.outgoing, true), isNull(seen.consumedBy), not(leftFormer(tables)));
  return db.select().from(seen).where(isOpen).orderBy(asc(seen.block), asc(seen.logIndex));
}

/**
 * Books one transfer of the lost time by its name alone: it paid the line, gave back the refund, or left for the inbound
 * money that the name was made from. Where the name is ours and the rest does not agree, the sum is booked as lost, and
 * what bears the name is never signed. Without a name of ours it stays unexplained, unless the operator `knows` it.
 */
export async function explainLost(store: Store, out: Outflow, isKnown: boolean, reading: Reading): Promise<OutflowEnd> {
  const { candidates, nowMs } = reading;
  const own = candidates.get(out.nonce ?? '') ?? candidates.get(out.memo ?? '') ?? null;
  const locks = [ledgerLock(out.network)];
  const isBooked = await attempt(() => store.tx((db) => book(db, store, { out, own, reading }), locks));
  if (isBooked) return 'landed';
  if (own === null && !isKnown) return 'unexplained';
  return (await attempt(() => store.tx((db) => lose(db, store, { out, own, nowMs }), locks))) ? 'lost' : 'unexplained';
}

async function attempt(work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Unfit) return false;
    throw error;
  }
}

type Found = { out: Outflow; own: Candidate | null; reading: Reading };

async function book(db: Db, store: Store, { out, own, reading }: Found): Promise<boolean> {
  const { nowMs } = reading;
  if (await landOutflow(db, store, out, nowMs)) return true;
  if (own === null) return bookMove(db, store, out, reading);
  switch (own.kind) {
    case 'transfer':
      return landUnder(db, store, own.transfer, out, nowMs);
    case 'line':
      return bookLine(db, store, { out, own }, nowMs);
    case 'refund': {
      const { id, account, amountMicroUsdc, payer } = own.refund;
      if (amountMicroUsdc !== out.amountMicroUsdc || payer !== out.toAddress) return false;
      await landNew(db, store, out, { id: own.id, purpose: 'refund', sourceAccount: account }, nowMs);
      await assignRefund(db, store, id, own.id);
      return true;
    }
    case 'inbound':
      return bookInbound(db, store, { out, own }, nowMs);
  }
}

/** Between two addresses of ours: nothing is owed for it, so it needs no name. A treasury may be new to these books. */
async function bookMove(db: Db, store: Store, out: Outflow, { newId, nowMs }: Reading): Promise<boolean> {
  const { accounts } = store.tables;
  const { treasuries } = await readPayoutSettings(db, store.tables);
  const isOurs = async (address: string) => {
    const name = names.chain(out.network, address);
    return (await db.select({ name: accounts.name }).from(accounts).where(eq(accounts.name, name))).length > 0;
  };
  if (out.toAddress !== treasuries[out.network] && !(await isOurs(out.toAddress))) return false;
  await landNew(db, store, out, { id: newId(), purpose: 'sweep', sourceAccount: null }, nowMs);
  return true;
}

type Named<Kind> = { out: Outflow; own: Extract<Candidate, { kind: Kind }> };

async function bookLine(db: Db, store: Store, { out, own }: Named<'line'>, nowMs: number): Promise<boolean> {
  const { line, payment, id } = own;
  if (line.status !== 'escrowed' || line.amountMicroUsdc !== out.amountMicroUsdc) return false;
  if (out.toAddress === payment.payer) return bookGivenBack(db, store, { out, own }, nowMs);
  const sourceAccount = names.escrow(payment.network, line.identityId);
  const crossFrom = payment.network === out.network ? null : payment.network;
  await landNew(db, store, out, { id, purpose: 'payout', sourceAccount, crossFrom }, nowMs);
  const { lines } = store.tables;
  const set = { status: 'paying', payoutId: id } as const;
  const moved = await move(db, lines, { from: ['escrowed'], where: eq(lines.txnId, line.txnId), set });
  if (moved.length === 0) throw new Unfit(`line ${line.txnId} waits no longer`);
  return true;
}

async function bookGivenBack(db: Db, store: Store, found: { out: Outflow; own: LineCandidate }, nowMs: number) {
  const { out, own } = found;
  const { line, id } = own;
  await refundWithin(db, store, { txnId: line.txnId, from: ['escrowed'], reason: null }, nowMs);
  const { refunds, lines } = store.tables;
  const [refund] = await db.select().from(refunds).where(eq(refunds.txnId, line.txnId));
  if (refund?.amountMicroUsdc !== out.amountMicroUsdc || refund.network !== out.network)
    throw new Unfit(`line ${line.txnId} gives back another sum`);
  await landNew(db, store, out, { id, purpose: 'refund', sourceAccount: refund.account }, nowMs);
  await assignRefund(db, store, refund.id, id);
  await db.update(lines).set({ payoutId: id }).where(eq(lines.txnId, line.txnId));
  return true;
}

/**
 * Money of the lost time: what left for it is taken out of suspense. One that went back to its payer may have gathered
 * others under this name, so all that leaves for that payer waits for the operator.
 */
async function bookInbound(db: Db, store: Store, { out, own }: Named<'inbound'>, nowMs: number): Promise<boolean> {
  const { inbound, id, line } = own;
  const { network, fromAddress, amountMicroUsdc } = inbound;
  const paid = await paidSoFar(db, store, inbound);
  if (paid === null || paid + out.amountMicroUsdc > amountMicroUsdc) return false;
  if (out.toAddress === fromAddress) await doubt(db, store, out, [fromAddress]);
  if (line === 0 && out.toAddress === fromAddress && out.amountMicroUsdc === amountMicroUsdc) {
    if (network !== out.network || !(await oweSender(db, store, inbound, nowMs))) return false;
    const refundId = `return:${inbound.fact}`;
    const { refunds } = store.tables;
    const [refund] = await db.select().from(refunds).where(eq(refunds.id, refundId));
    await landNew(db, store, out, { id, purpose: 'refund', sourceAccount: refund?.account ?? null }, nowMs);
    await assignRefund(db, store, refundId, id);
  } else {
    const crossFrom = network === out.network ? null : network;
    const sourceAccount = names.suspense(network);
    await landNew(db, store, out, { id, purpose: 'payout', sourceAccount, crossFrom }, nowMs);
  }
  await addPaid(db, store, inbound, out.amountMicroUsdc, nowMs);
  return true;
}

type Planned = Pick<NewTransfer, 'id' | 'purpose' | 'sourceAccount' | 'crossFrom'>;

/** Plans it and lands it at once. Nothing of the transaction is kept where one of them cannot be. */
async function landNew(db: Db, store: Store, out: Outflow, planned: Planned, nowMs: number): Promise<void> {
  const { network, fromAddress, toAddress, amountMicroUsdc } = out;
  const { accounts } = store.tables;
  const sender = { network, address: fromAddress };
  if (!(await holdsAtLeast(db, store.tables, sender, amountMicroUsdc))) throw new Unfit(`${fromAddress} holds less`);
  const { sourceAccount } = planned;
  if (sourceAccount !== null) {
    const [source] = await db.select().from(accounts).where(eq(accounts.name, sourceAccount));
    if (-(source?.balance ?? 0n) < amountMicroUsdc) throw new Unfit(`${sourceAccount} holds less`);
  }
  if (planned.crossFrom) {
    const [float] = await db
      .select()
      .from(accounts)
      .where(eq(accounts.name, names.float(network)));
    if (-(float?.balance ?? 0n) < amountMicroUsdc) throw new Unfit(`the float of ${network} is less`);
  }
  const transfer = { network, fromAddress, toAddress, amountMicroUsdc, ...planned };
  const row = await planTransfer(db, store.tables, transfer, nowMs);
  if (row.id !== planned.id || !(await landUnder(db, store, row, out, nowMs)))
    throw new Unfit(`${out.fact} does not land ${planned.id}`);
}

async function assignRefund(db: Db, { tables: { refunds, lines } }: Store, refundId: string, payoutId: string) {
  const taken = await db
    .update(refunds)
    .set({ payoutId })
    .where(and(eq(refunds.id, refundId), isNull(refunds.payoutId)))
    .returning({ txnId: refunds.txnId });
  const [refund] = taken;
  if (refund === undefined) throw new Unfit(`refund ${refundId} was taken meanwhile`);
  if (refund.txnId === null) return;
  await db
    .update(lines)
    .set({ payoutId })
    .where(and(eq(lines.txnId, refund.txnId), isNull(lines.payoutId)));
}

type Losing = { out: Outflow; own: Candidate | null; nowMs: number };

/** What it was for stays owed and is held: it bears a name that the chain has seen, or leaves for a payer in doubt. */
async function lose(db: Db, store: Store, { out, own, nowMs }: Losing): Promise<boolean> {
  const { tables } = store;
  const { network, fact, fromAddress: address, amountMicroUsdc: amount } = out;
  if (!(await holdsAtLeast(db, tables, { network, address }, amount))) return false;
  await postEntry(db, tables, outflowLost({ network, fact, address, amount }), nowMs);
  await db.update(tables.observedTransfers).set({ consumedBy: 'lost' }).where(eq(tables.observedTransfers.fact, fact));
  await doubt(db, store, out, [out.toAddress, ...payersOf(own)]);
  if (own?.kind === 'transfer') await holdQueued(db, store, own.transfer, nowMs);
  if (own?.kind === 'inbound') await addPaid(db, store, own.inbound, 0n, nowMs);
  return true;
}

async function holdQueued(db: Db, { tables }: Store, { id }: TransferRow, nowMs: number): Promise<void> {
  const { transfers } = tables;
  const set = { status: 'held', heldReason: 'paid_before' } as const;
  const moved = await move(db, transfers, { from: ['queued'], where: eq(transfers.id, id), set });
  if (moved.length > 0) await tellPayout(db, tables, id, 'held', nowMs);
}

function payersOf(own: Candidate | null): string[] {
  switch (own?.kind) {
    case 'line':
      return [own.payment.payer];
    case 'refund':
      return [own.refund.payer];
    case 'inbound':
      return [own.inbound.fromAddress];
    case 'transfer':
    case undefined:
      return [];
  }
}

async function doubt(
  db: Db,
  { tables: { doubtfulPayers } }: Store,
  { fact, network }: { fact: string; network: Network },
  payers: readonly string[],
): Promise<void> {
  const rows = [...new Set(payers)].filter((payer) => payer !== '').map((payer) => ({ network, payer, fact }));
  if (rows.length > 0) await db.insert(doubtfulPayers).values(rows).onConflictDoNothing();
}
