import { and, eq } from 'drizzle-orm';
import { payoutLanded, payoutUnlanded } from '../../core/ledger.ts';
import { familyOf, networkNamed, type Family, type Network } from '../../core/networks.ts';
import type { ObservedTransfer } from '../../core/observed.ts';
import { postEntry } from '../ledger/ledger.ts';
import { holdsAtLeast } from '../transfers/holdings.ts';
import { move } from '../store/move.ts';
import { enqueue } from '../store/outbox.ts';
import type { TransferRow } from '../payments/records/find.ts';
import type { Landing } from '../payments/settle.ts';
import type { Db, Store } from '../store/store.ts';

/**
 * Whether the recipient has to be compared. On SVM the nonce names the very transaction that we signed, token account
 * included, and whose that account is can change between our look and the landing.
 */
const NAMES_RECIPIENT = { evm: true, svm: false } as const satisfies Record<Family, boolean>;

/**
 * An outgoing transfer was seen: confirms the payout whose current authorization it used. Answers null when no payout
 * explains it exactly (nonce, recipient, amount), or when it spent what the books do not know of; the caller then stops
 * signing, and the chain is read on.
 */
export async function landPayout(
  db: Db,
  store: Store,
  network: string,
  transfer: ObservedTransfer,
  landed: Landing,
  nowMs: number,
): Promise<string | null> {
  if (transfer.nonce === undefined || transfer.authorizer !== transfer.from) return null;
  const { transfers } = store.tables;
  const address = { network: networkNamed(network), address: transfer.from };
  if (!(await holdsAtLeast(db, store.tables, address, transfer.value))) return null;
  const [payout] = await move(db, transfers, {
    where: and(
      eq(transfers.network, network),
      eq(transfers.nonce, transfer.nonce),
      eq(transfers.fromAddress, transfer.from),
      NAMES_RECIPIENT[familyOf(address.network)] ? eq(transfers.toAddress, transfer.to) : undefined,
      eq(transfers.amountMicroUsdc, transfer.value),
    ),
    set: { status: 'confirmed', landedTransaction: landed.transaction, landedBlock: landed.block },
  });
  if (!payout) return null;
  await postEntry(db, store.tables, payoutLanded(landingEvent(network, transfer.from, transfer.value, landed)), nowMs);
  await enqueue(db, store.tables, 'payout_landed', { payoutId: payout.id }, nowMs);
  return payout.id;
}

/** The block that carried the payout is gone; the same authorization is sent again. */
export async function unlandPayout(
  db: Db,
  store: Store,
  payout: TransferRow,
  landed: Pick<Landing, 'fact' | 'landing'>,
  nowMs: number,
): Promise<void> {
  const { transfers } = store.tables;
  // Without a batch of its own it waits for one, with the same authorization.
  const status = payout.carrierId === null ? 'assigned' : 'broadcast';
  const moved = await move(db, transfers, {
    from: ['confirmed'],
    where: eq(transfers.id, payout.id),
    set: { status, landedTransaction: null, landedBlock: null, nextTryAtMs: nowMs },
  });
  if (moved.length === 0) throw new Error(`payout ${payout.id} cannot be unlanded from ${payout.status}`);
  const event = landingEvent(payout.network, payout.fromAddress, payout.amountMicroUsdc, landed);
  await postEntry(db, store.tables, payoutUnlanded(event), nowMs);
}

function landingEvent(network: string, address: string, amount: bigint, landed: Pick<Landing, 'fact' | 'landing'>) {
  return { network: network as Network, address, fact: landed.fact, landing: landed.landing, amount };
}
