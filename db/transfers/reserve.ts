import { and, eq, sql } from 'drizzle-orm';
import { payoutDead, payoutReserved } from '../../core/ledger.ts';
import { networkNamed, type Network } from '../../core/networks.ts';
import type { TransferState } from '../../core/states.ts';
import { TRANSFERS, type TransferPurpose } from '../../core/transfers/purposes.ts';
import { postEntry } from '../ledger/ledger.ts';
import type { TransferRow } from '../payments/records/find.ts';
import type { Tables } from '../schema/tables.ts';
import { move } from '../store/move.ts';
import { enqueue } from '../store/outbox.ts';
import { given, prepare } from '../store/prepare.ts';
import type { Db } from '../store/store.ts';

export type NewTransfer = {
  /** Of what leaves for a line: as `TransferIdOf` says. Of anything else 128 random bits in hex. */
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
 * must hold it. The row's id is the one asked for, except where that one has moved money or still may: then the operator
 * decides about this one.
 */
export async function planTransfer(db: Db, tables: Tables, transfer: NewTransfer, nowMs: number): Promise<TransferRow> {
  const row =
    (await write(db, transfer, nowMs)) ??
    (await revive(db, tables, transfer, nowMs)) ??
    (await write(db, toSecond(transfer), nowMs));
  if (row === null) throw new Error(`transfer ${transfer.id} was not written`);
  await reserve(db, tables, row, nowMs);
  if (TRANSFERS[row.purpose].ledger === 'reserved')
    await enqueue(db, tables, 'payout_queued', { payoutId: row.id }, nowMs);
  return row;
}

/** Null where the id stands already. */
async function write(db: Db, transfer: NewTransfer, nowMs: number): Promise<TransferRow | null> {
  const open = { crossFrom: null, toAccount: null, heldReason: null, countedOn: null };
  const values = { ...open, status: 'queued', nextTryAtMs: nowMs, ...transfer, createdAtMs: nowMs };
  const [row] = await insertTransfer(db, values);
  return row ?? null;
}

const insertTransfer = prepare((db, { transfers }) =>
  db
    .insert(transfers)
    .values({
      ...given('id', 'network', 'purpose', 'sourceAccount', 'crossFrom', 'fromAddress', 'toAddress', 'toAccount'),
      ...given('amountMicroUsdc', 'status', 'heldReason', 'countedOn', 'nextTryAtMs', 'createdAtMs'),
      generation: 0,
      tries: 0,
      exposed: false,
    })
    .onConflictDoNothing()
    .returning(),
);

/** What was planned for this line before came to nothing: the same id, in its next generation. */
async function revive(
  db: Db,
  { screenings, transfers }: Tables,
  { id, status = 'queued', ...transfer }: NewTransfer,
  nowMs: number,
): Promise<TransferRow | null> {
  const unsigned = { nonce: null, validBefore: null, signature: null, carrierId: null, tries: 0, exposed: false };
  const unset = {
    crossFrom: null,
    toAccount: null,
    heldReason: null,
    comparedAtMs: null,
    formerLossAtMs: null,
    formerNonceAtMs: null,
    countedOn: null,
    nextTryAtMs: nowMs,
  };
  const [row] = await move(db, transfers, {
    from: ['void'],
    where: eq(transfers.id, id),
    set: {
      ...unset,
      ...transfer,
      ...unsigned,
      status,
      generation: sql`${transfers.generation} + 1`,
      createdAtMs: nowMs,
    },
  });
  if (row === undefined) return null;
  // What was decided was about another address, perhaps.
  await db.delete(screenings).where(and(eq(screenings.stage, 'payout'), eq(screenings.subject, id)));
  return row;
}

function toSecond(transfer: NewTransfer): NewTransfer {
  return { ...transfer, id: `${transfer.id}${SECOND}`, status: 'held', heldReason: 'paid_before' };
}

const SECOND = '-2';

export const isSecond = (transferId: string): boolean => transferId.endsWith(SECOND);

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
