import { countEndedPayouts } from '../counts/ended.ts';
import { and, eq, lte, sql } from 'drizzle-orm';
import { moved as movedEntry, movedBack, payoutLanded, payoutUnlanded } from '../../core/ledger.ts';
import { type Network, familyOf, networkNamed, type Family } from '../../core/networks.ts';
import type { ObservedTransfer } from '../../core/observed.ts';
import { TRANSFERS } from '../../core/transfers/purposes.ts';
import { isOneOf } from '../dialects/unindexed.ts';
import { tellPayout } from '../events/tell.ts';
import { postEntry } from '../ledger/ledger.ts';
import type { TransferRow } from '../payments/records/find.ts';
import type { Landing } from '../payments/settle.ts';
import { move } from '../store/move.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import { enqueue } from '../store/outbox.ts';
import { stopSigningWithin } from '../store/stops.ts';
import type { Db, Store } from '../store/store.ts';
import { isBooked } from '../transfers/find.ts';
import { holdsAtLeast } from '../transfers/holdings.ts';

/**
 * Whether the recipient has to be compared. On SVM the nonce names the very transaction that we signed, token account
 * included, and whose that account is can change between our look and the landing.
 */
export const NAMES_RECIPIENT = { evm: true, svm: false } as const satisfies Record<Family, boolean>;

/** What a landing posts: the end of a reserve, or money that has moved between our own addresses. */
const ENTRIES = {
  reserved: { landed: payoutLanded, unlanded: payoutUnlanded },
  moved: { landed: movedEntry, unlanded: movedBack },
} as const;

/**
 * USDC left an address of ours: confirms the transfer whose current authorization it used. Answers null when none
 * explains it exactly (nonce, sender, recipient, amount), or when it spent what the books do not know of; the caller
 * then stops signing, and the chain is read on.
 */
export async function landTransfer(
  db: Db,
  store: Store,
  network: Network,
  seen: ObservedTransfer,
  landed: Landing,
  nowMs: number,
): Promise<string | null> {
  if (seen.nonce === undefined || seen.authorizer !== seen.from) return null;
  const { tables } = store;
  const sender = { network: networkNamed(network), address: seen.from };
  if (!(await holdsAtLeast(db, tables, sender, seen.value))) return null;
  const { transaction, block } = landed;
  const { nonce, from, to, value: amount } = seen;
  const [transfer] = await MOVE_TO_CONFIRMED[familyOf(network)](db, {
    network,
    nonce,
    from,
    to,
    amount,
    transaction,
    block,
  });
  if (!transfer) return null;
  const ledger = ledgerOf(transfer);
  await postEntry(db, tables, ENTRIES[ledger].landed(eventOf(transfer, landed)), nowMs);
  if (ledger === 'reserved') await tellLanded(db, tables, transfer.id, nowMs);
  return transfer.id;
}

/** One that lands again after a reorganisation is told once. */
async function tellLanded(db: Db, tables: Store['tables'], payoutId: string, nowMs: number): Promise<void> {
  const written = await enqueue(db, tables, 'payout_landed', { payoutId }, nowMs);
  if (written !== null) await tellPayout(db, tables, payoutId, 'landed', nowMs);
}

const confirmedBy = (family: Family) =>
  prepare((db, tables) => {
    const { transfers } = tables;
    return move(db, transfers, {
      where: and(
        eq(transfers.network, placeholder('network')),
        isBooked(tables),
        eq(transfers.nonce, placeholder('nonce')),
        eq(transfers.fromAddress, placeholder('from')),
        // By the index of addresses SQLite would read all that this recipient was ever paid.
        NAMES_RECIPIENT[family] ? isOneOf(transfers.toAddress, [placeholder('to')]) : undefined,
        eq(transfers.amountMicroUsdc, placeholder('amount')),
      ),
      set: {
        status: 'confirmed',
        landedTransaction: sql`${placeholder('transaction')}`,
        landedBlock: sql`${placeholder('block')}`,
      },
    });
  });

const MOVE_TO_CONFIRMED = { evm: confirmedBy('evm'), svm: confirmedBy('svm') } as const;

/** The block that carried it is gone; the same signed bytes are sent again. */
export async function unlandTransfer(
  db: Db,
  store: Store,
  transferId: string,
  landed: Pick<Landing, 'fact' | 'landing'>,
  nowMs: number,
): Promise<void> {
  const { tables } = store;
  const { transfers } = tables;
  const [transfer] = await db.select().from(transfers).where(eq(transfers.id, transferId));
  if (!transfer) throw new Error(`${landed.fact} names transfer ${transferId}, which does not exist`);
  const ledger = ledgerOf(transfer);
  const event = eventOf(transfer, landed);
  const recipient = { network: event.network, address: event.to };
  // What has been spent from there since cannot be taken out of it; the chain is read on all the same.
  if (ledger === 'moved' && !(await holdsAtLeast(db, tables, recipient, event.amount))) {
    const stop = { reason: 'books_behind_chain', network: event.network, detail: landed.fact } as const;
    return stopSigningWithin(db, store, stop, nowMs);
  }
  // Without a batch of its own it waits for one, with the same authorization.
  const status = transfer.carrierId === null ? 'assigned' : 'broadcast';
  const moved = await move(db, transfers, {
    from: ['confirmed'],
    where: eq(transfers.id, transferId),
    set: { status, landedTransaction: null, landedBlock: null, nextTryAtMs: nowMs },
  });
  if (moved.length === 0) throw new Error(`transfer ${transferId} cannot be unlanded from ${transfer.status}`);
  await postEntry(db, tables, ENTRIES[ledger].unlanded(event), nowMs);
}

/** What landed can no longer be reorganised away. */
export async function finishTransfers(db: Db, store: Store, step: { network: Network; finalizedBlock: number }) {
  const { network, finalizedBlock } = step;
  const done = await moveToFinal(db, { network, finalizedBlock });
  await countEndedPayouts(db, store, 'final', done);
}

const moveToFinal = prepare((db, { transfers }) =>
  move(db, transfers, {
    from: ['confirmed'],
    where: and(
      eq(transfers.network, placeholder('network')),
      lte(transfers.landedBlock, placeholder('finalizedBlock')),
    ),
    set: { status: 'final' },
  }),
);

function ledgerOf({ id, purpose }: TransferRow) {
  const { ledger } = TRANSFERS[purpose];
  if (ledger === 'none') throw new Error(`${purpose} ${id} is not in the books, and a landing of it was booked`);
  return ledger;
}

/** Both ends are in it, because a reserve ends at the sender and a move has two. */
function eventOf(transfer: TransferRow, { fact, landing }: Pick<Landing, 'fact' | 'landing'>) {
  const { fromAddress, toAddress, amountMicroUsdc } = transfer;
  const ends = { address: fromAddress, from: fromAddress, to: toAddress };
  return { network: networkNamed(transfer.network), ...ends, fact, landing, amount: amountMicroUsdc };
}
