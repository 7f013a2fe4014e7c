import { payoutDead, payoutReserved } from '../../core/ledger.ts';
import { networkNamed, type Network } from '../../core/networks.ts';
import type { TransferState } from '../../core/states.ts';
import { TRANSFERS, type TransferPurpose } from '../../core/transfers/purposes.ts';
import { postEntry } from '../ledger/ledger.ts';
import type { TransferRow } from '../payments/records/find.ts';
import type { Tables } from '../schema/tables.ts';
import { enqueue } from '../store/outbox.ts';
import type { Db } from '../store/store.ts';

export type NewTransfer = {
  /** 128 random bits in hex. */
  id: string;
  network: Network;
  purpose: TransferPurpose;
  sourceAccount: string | null;
  fromAddress: string;
  toAddress: string;
  amountMicroUsdc: bigint;
  crossFrom?: Network | null;
  toAccount?: string | null;
  status?: Extract<TransferState, 'queued' | 'held'>;
  heldReason?: string | null;
  countedOn?: string | null;
  nextTryAtMs?: number;
};

/**
 * Plans a transfer, queued unless it is held, and reserves its amount where its purpose reserves one. The source account
 * must hold it.
 */
export async function planTransfer(db: Db, tables: Tables, transfer: NewTransfer, nowMs: number): Promise<TransferRow> {
  const fresh = { generation: 0, tries: 0, exposed: false, createdAtMs: nowMs };
  const [row] = await db
    .insert(tables.transfers)
    .values({ status: 'queued', nextTryAtMs: nowMs, ...transfer, ...fresh })
    .returning();
  if (row === undefined) throw new Error(`transfer ${transfer.id} was not written`);
  await reserve(db, tables, row, nowMs);
  if (TRANSFERS[row.purpose].ledger === 'reserved')
    await enqueue(db, tables, 'payout_queued', { payoutId: row.id }, nowMs);
  return row;
}

/** Reserves the amount of a transfer's generation, where its purpose reserves one. */
export async function reserve(db: Db, tables: Tables, transfer: TransferRow, nowMs: number): Promise<void> {
  const event = reserveOf(transfer);
  if (event !== null) await postEntry(db, tables, payoutReserved(event), nowMs);
}

/** Gives back what this generation has reserved. Needs proof that nothing signed can land it. */
export async function giveBackReserve(db: Db, tables: Tables, transfer: TransferRow, nowMs: number): Promise<void> {
  const event = reserveOf(transfer);
  if (event !== null) await postEntry(db, tables, payoutDead(event), nowMs);
}

function reserveOf(transfer: TransferRow) {
  const { id: payoutId, purpose, generation, amountMicroUsdc: amount } = transfer;
  if (TRANSFERS[purpose].ledger !== 'reserved') return null;
  const crossFrom = transfer.crossFrom === null ? null : networkNamed(transfer.crossFrom);
  const network = networkNamed(transfer.network);
  return { network, payoutId, generation, sourceAccount: sourceOf(transfer), amount, crossFrom };
}

/** The account that a reserved transfer's amount came from. */
export function sourceOf({ id, purpose, sourceAccount }: TransferRow): string {
  if (sourceAccount === null) throw new Error(`${purpose} ${id} is reserved from no account`);
  return sourceAccount;
}
