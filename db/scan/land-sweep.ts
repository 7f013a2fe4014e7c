import { and, eq, lte } from 'drizzle-orm';
import { moved as movedEntry, movedBack } from '../../core/ledger.ts';
import type { Network } from '../../core/networks.ts';
import type { ObservedTransfer } from '../../core/observed.ts';
import { postEntry } from '../ledger/ledger.ts';
import { move } from '../store/move.ts';
import type { Landing } from '../payments/settle.ts';
import { holdsAtLeast } from '../transfers/holdings.ts';
import { stopSigningWithin } from '../store/stops.ts';
import type { Db, Store } from '../store/store.ts';

/**
 * A transfer from one address of ours was seen: confirms the sweep whose current signature it used. Null when no sweep
 * explains it exactly.
 */
export async function landSweep(
  db: Db,
  store: Store,
  network: string,
  transfer: ObservedTransfer,
  landed: Landing,
  nowMs: number,
): Promise<string | null> {
  if (transfer.nonce === undefined || transfer.authorizer !== transfer.from) return null;
  const place = { network: network as Network, address: transfer.from };
  if (!(await holdsAtLeast(db, store.tables, place, transfer.value))) return null;
  const { sweeps } = store.tables;
  const [sweep] = await move(db, sweeps, {
    where: and(
      eq(sweeps.network, network),
      eq(sweeps.nonce, transfer.nonce),
      eq(sweeps.fromAddress, transfer.from),
      eq(sweeps.toAddress, transfer.to),
      eq(sweeps.amountMicroUsdc, transfer.value),
    ),
    set: { status: 'confirmed', landedTransaction: landed.transaction, landedBlock: landed.block },
  });
  if (!sweep) return null;
  await postEntry(db, store.tables, movedEntry(eventOf(network, transfer, landed)), nowMs);
  return sweep.id;
}

/** The block that carried it is gone; the same bytes are sent again. */
export async function unlandSweep(
  db: Db,
  store: Store,
  sweepId: string,
  landed: Pick<Landing, 'fact' | 'landing'>,
  nowMs: number,
): Promise<void> {
  const { sweeps } = store.tables;
  const [sweep] = await db.select().from(sweeps).where(eq(sweeps.id, sweepId));
  if (!sweep) throw new Error(`transfer ${landed.fact} names sweep ${sweepId}, which does not exist`);
  const { network, fromAddress: from, toAddress: to, amountMicroUsdc: value } = sweep;
  // What has been spent from the treasury since cannot be taken out of it; the chain is read on all the same.
  if (!(await holdsAtLeast(db, store.tables, { network: network as Network, address: to }, value))) {
    return stopSigningWithin(db, store, 'books_behind_chain', landed.fact, nowMs);
  }
  const status = sweep.carrierId === null ? 'assigned' : 'broadcast';
  const moved = await move(db, sweeps, {
    from: ['confirmed'],
    where: eq(sweeps.id, sweepId),
    set: { status, landedTransaction: null, landedBlock: null, nextTryAtMs: nowMs },
  });
  if (moved.length === 0) throw new Error(`sweep ${sweepId} cannot be unlanded from ${sweep.status}`);
  await postEntry(db, store.tables, movedBack(eventOf(network, { from, to, value }, landed)), nowMs);
}

export async function finishSweeps(db: Db, store: Store, step: { network: string; finalizedBlock: number }) {
  const { sweeps } = store.tables;
  await move(db, sweeps, {
    where: and(eq(sweeps.network, step.network), lte(sweeps.landedBlock, step.finalizedBlock)),
    set: { status: 'final' },
  });
}

function eventOf(
  network: string,
  { from, to, value }: Pick<ObservedTransfer, 'from' | 'to' | 'value'>,
  { fact, landing }: Pick<Landing, 'fact' | 'landing'>,
) {
  return { network: network as Network, from, to, fact, landing, amount: value };
}
