import type { Cell } from '../../../core/csv.ts';
import { exportClaims, exportPayments, exportPayouts, type Period } from '../../../db/stories/exports.ts';
import type { Store } from '../../../db/store/store.ts';
import { decimalText, writeCsv } from './file.ts';

export const EXPORTED = ['payments', 'payouts', 'claims'] as const;
type Exported = (typeof EXPORTED)[number];

/** As a new file; answers how many lines it has. */
export function writeTable(kind: Exported, store: Store, file: string, period: Period): Promise<number> {
  return WRITERS[kind](store, file, period);
}

const WRITERS = {
  payments: writePayments,
  payouts: writePayouts,
  claims: writeClaims,
} as const satisfies Record<Exported, (store: Store, file: string, period: Period) => Promise<number>>;

const usdc = (amount: bigint): Cell => ({ number: decimalText(amount, 6) });
const time = (atMs: number | null): string => (atMs === null ? '' : new Date(atMs).toISOString());

/** Each row as a line of the file; answers how many there were. */
async function writeRows<Column extends string, Row>(
  file: string,
  columns: readonly Column[],
  rows: AsyncIterable<readonly Row[]>,
  toLine: (row: Row) => Readonly<Record<Column, Cell>>,
): Promise<number> {
  return writeCsv(file, columns, async (add) => {
    let count = 0;
    for await (const piece of rows) {
      add(piece.map(toLine));
      count += piece.length;
    }
    return count;
  });
}

const PAYMENT_COLUMNS = [
  'payment',
  'txn_id',
  'accepted',
  'settled',
  'operation',
  'network',
  'payer',
  'recipient',
  'amount',
  'payment_fee',
  'payment_status',
  'line_status',
  'returned_because',
  'payout',
  'transaction',
] as const;

/** The fee is of the whole payment, so it stands in the line of its first recipient alone. */
function writePayments(store: Store, file: string, period: Period): Promise<number> {
  return writeRows(file, PAYMENT_COLUMNS, exportPayments(store, period), ({ payment, line }) => ({
    payment: payment.id,
    txn_id: String(line.txnId),
    accepted: time(payment.createdAtMs),
    settled: time(payment.settledAtMs),
    operation: payment.operation,
    network: payment.network,
    payer: payment.payer,
    recipient: `${line.platform}:${line.recipientKey}`,
    amount: usdc(line.amountMicroUsdc),
    payment_fee: usdc(line.position === 0 ? payment.feeMicroUsdc : 0n),
    payment_status: payment.status,
    line_status: line.status,
    returned_because: line.returnReason ?? '',
    payout: line.payoutId ?? '',
    transaction: payment.landedTransaction ?? '',
  }));
}

const PAYOUT_COLUMNS = [
  'payout',
  'planned',
  'purpose',
  'network',
  'to',
  'amount',
  'status',
  'held_because',
  'txn_id',
  'recipient',
  'transaction',
] as const;

function writePayouts(store: Store, file: string, period: Period): Promise<number> {
  return writeRows(file, PAYOUT_COLUMNS, exportPayouts(store, period), ({ payout, line }) => ({
    payout: payout.id,
    planned: time(payout.createdAtMs),
    purpose: payout.purpose,
    network: payout.network,
    to: payout.toAddress,
    amount: usdc(payout.amountMicroUsdc),
    status: payout.status,
    held_because: payout.heldReason ?? '',
    txn_id: line === null ? '' : String(line.txnId),
    recipient: line === null ? '' : `${line.platform}:${line.recipientKey}`,
    transaction: payout.landedTransaction ?? '',
  }));
}

const CLAIM_COLUMNS = [
  'claim',
  'opened',
  'proven',
  'ended',
  'name',
  'method',
  'status',
  'rejected_because',
  'lines',
  'amount',
] as const;

function writeClaims(store: Store, file: string, period: Period): Promise<number> {
  return writeRows(file, CLAIM_COLUMNS, exportClaims(store, period), ({ claim, lineCount, amountMicroUsdc }) => ({
    claim: claim.id,
    opened: time(claim.createdAtMs),
    proven: time(claim.verifiedAtMs),
    ended: time(claim.endedAtMs),
    name: `${claim.platform}:${claim.provenKey ?? claim.key}`,
    method: claim.method,
    status: claim.status,
    rejected_because: claim.rejectReason ?? '',
    lines: { number: String(lineCount) },
    amount: usdc(amountMicroUsdc),
  }));
}
