import { and, eq, inArray, isNull, not, or } from 'drizzle-orm';
import { TRANSFERS } from '../../core/transfers/purposes.ts';
import type { TransferRow } from '../payments/records/find.ts';
import { leftFormer } from '../rotations/formers.ts';
import { move } from '../store/move.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { holdTransfer } from '../transfers/authorize.ts';
import { holdsAtLeast } from '../transfers/holdings.ts';
import { landOutflow } from '../scan/land-outflow.ts';

/** What a transfer is called on the chains, whichever of them it leaves on: its nonce, and its tag in a memo. */
export type ChainNames = { nonce: string; tag: string };

/** `landed`: the chain had it, and now the books do. `held`: the operator decides. */
export type PaidBefore = ReadonlyMap<string, 'landed' | 'held'>;

export type Outflow = Tables['observedTransfers']['$inferSelect'];

/**
 * Transfers that are about to be signed although the chain shows one of ours that no book explains: these books may be a
 * backup, and it may be theirs. One of the same name is the same transfer: it is booked where it agrees to the last
 * detail, and held where it does not, or left on another network. Amounts alone never decide. A gathered refund hides the
 * names of all its lines but one, so what leaves for a payer who got such a transfer is held as well.
 */
export async function settlePaidBefore(
  store: Store,
  queued: readonly TransferRow[],
  namesOf: (transferId: string) => ChainNames,
  nowMs: number,
): Promise<PaidBefore> {
  const doubtful = await doubtfulOutflows(store);
  const settled = new Map<string, 'landed' | 'held'>();
  if (doubtful.outflows.length === 0 && doubtful.payers.size === 0) return settled;
  const payers = await payersOf(store.read, store, queued);
  for (const transfer of queued) {
    const { nonce, tag } = namesOf(transfer.id);
    const own = doubtful.outflows.find((seen) => seen.nonce === nonce || seen.memo === tag);
    if (own !== undefined && own.consumedBy === null && agrees(transfer, own)) {
      await store.tx((db) => landUnder(db, store, transfer, own, nowMs));
      settled.set(transfer.id, 'landed');
      continue;
    }
    const owed = [...(payers.get(transfer.id) ?? []), ...(transfer.purpose === 'refund' ? [transfer.toAddress] : [])];
    const isOwed = transfer.comparedAtMs === null && owed.some((payer) => doubtful.payers.has(payer));
    const isDoubtful = (own !== undefined && !isLetGo(transfer, own)) || isOwed;
    if (isDoubtful && (await holdTransfer(store, transfer.id, 'paid_before', nowMs))) settled.set(transfer.id, 'held');
  }
  return settled;
}

/** Under another key it can leave, although that name is spent: the operator has said that it paid nothing of this. */
function isLetGo({ formerNonceAtMs, fromAddress }: TransferRow, own: Outflow): boolean {
  return formerNonceAtMs !== null && own.consumedBy === 'lost' && own.fromAddress !== fromAddress;
}

/** There are hardly ever any: one that is unexplained stops all signing, and of a lost time few are left. */
async function doubtfulOutflows({ read, tables }: Store): Promise<{ outflows: Outflow[]; payers: Set<string> }> {
  const { doubtfulPayers, observedTransfers: seen } = tables;
  // What left a former address may bear any name, and goes to whom its new owner likes: it throws no doubt on anybody.
  const isNamed = or(and(isNull(seen.consumedBy), not(leftFormer(tables))), eq(seen.consumedBy, 'lost'));
  const outflows = await read
    .select()
    .from(seen)
    .where(and(isNamed, eq(seen.landed, true), eq(seen.outgoing, true)));
  const payers = await read.select({ payer: doubtfulPayers.payer }).from(doubtfulPayers);
  return {
    outflows,
    payers: new Set([...outflows.map(({ toAddress }) => toAddress), ...payers.map((row) => row.payer)]),
  };
}

/** Of each payout, who paid for its lines. */
export async function payersOf(
  db: Db,
  { tables }: Store,
  queued: readonly TransferRow[],
): Promise<Map<string, string[]>> {
  const { lines, payments } = tables;
  const ids = queued.map(({ id }) => id);
  const rows = await db
    .selectDistinct({ id: lines.payoutId, payer: payments.payer })
    .from(lines)
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(inArray(lines.payoutId, ids));
  const payers = new Map<string, string[]>();
  for (const { id, payer } of rows) if (id !== null) payers.set(id, [...(payers.get(id) ?? []), payer]);
  return payers;
}

function agrees(transfer: TransferRow, seen: Outflow): boolean {
  return (
    transfer.network === seen.network &&
    mayLeave(transfer, seen.fromAddress) &&
    transfer.toAddress === seen.toAddress &&
    transfer.amountMicroUsdc === seen.amountMicroUsdc
  );
}

/**
 * Payouts are planned for the treasury of that moment: in the lost time, or by other books, another one of ours may have
 * paid it. What is signed for sweeps is random, so one of them leaves where it was planned.
 */
function mayLeave({ purpose, fromAddress }: TransferRow, from: string): boolean {
  return TRANSFERS[purpose].authority === 'treasury' || fromAddress === from;
}

/**
 * The books take over the nonce that the lost time signed, and the landing, unless another writer just has. False, with
 * nothing changed, where it does not agree or has been signed in these books.
 */
export async function landUnder(
  db: Db,
  store: Store,
  transfer: TransferRow,
  seen: Outflow,
  nowMs: number,
): Promise<boolean> {
  if (!agrees(transfer, seen) || seen.nonce === null) return false;
  const { transfers, observedTransfers } = store.tables;
  const sender = { network: seen.network, address: seen.fromAddress };
  if (!(await holdsAtLeast(db, store.tables, sender, seen.amountMicroUsdc))) return false;
  const [open] = await db
    .select()
    .from(observedTransfers)
    .where(and(eq(observedTransfers.fact, seen.fact), isNull(observedTransfers.consumedBy)));
  if (open === undefined) return false;
  const isIt = and(eq(transfers.id, transfer.id), eq(transfers.generation, transfer.generation));
  await move(db, transfers, { from: ['held'], where: isIt, set: { status: 'queued', heldReason: null } });
  const taken = await move(db, transfers, {
    from: ['queued'],
    where: isIt,
    set: { status: 'assigned', nonce: seen.nonce, fromAddress: seen.fromAddress },
  });
  if (taken.length === 0) return false;
  // Otherwise nothing of this transaction is kept, and the transfer stays as it was.
  if (!(await landOutflow(db, store, open, nowMs))) throw new Error(`${open.fact} does not land ${transfer.id}`);
  return true;
}
