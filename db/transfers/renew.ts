import { and, eq, inArray } from 'drizzle-orm';
import type { TransferRow } from '../payments/records/find.ts';
import { isProvenBy, type Death } from './death.ts';
import { BEFORE_BOOKS } from '../../core/transfers/before-books.ts';
import { tellPayout } from '../events/tell.ts';
import { move } from '../store/move.ts';
import { stopSigningWithin, type NewStop } from '../store/stops.ts';
import type { Db, Store } from '../store/store.ts';
import { mayGoOn, returnToEscrow } from './cross.ts';
import { giveBackExposure } from './exposure.ts';
import { giveBackReserve, reserve } from './reserve.ts';

/**
 * What was signed in this generation can never land: its reserve is given back and a new generation is reserved in
 * the same transaction. What the treasury signs on an EVM network gets its nonce from the id alone, so even without that
 * proof only one of them could land.
 */
export async function renewDead(store: Store, transfer: TransferRow, death: Death, nowMs: number): Promise<boolean> {
  return store.tx((db) => renewWithin(db, store, transfer, { death, tries: 0, nowMs }));
}

/**
 * What was signed in this generation can never land, because its nonce was spent before these books began. It is held in its next
 * generation: nothing is signed for it again, and it goes neither back to escrow nor to another network, where it would be paid twice.
 * What signs there stops in the same transaction, so that this happens once. Only for what the treasury signs: its names are the same
 * in all books. Answers whether this call held it.
 */
export async function holdPaidBefore(
  store: Store,
  transfer: TransferRow,
  { death, stop }: { death: Death; stop: NewStop },
  nowMs: number,
): Promise<boolean> {
  return store.tx(async (db) => {
    const how = { death, tries: 0, heldReason: BEFORE_BOOKS, nowMs };
    const isHeld = await renewWithin(db, store, transfer, how);
    if (isHeld) await stopSigningWithin(db, store, stop, nowMs);
    return isHeld;
  });
}

/**
 * The same inside the caller's transaction. One that our own money on this network pays for goes on only while it does;
 * otherwise its line waits again. `tries` are kept where failing together is a reason to go on apart. With `heldReason` it does not
 * go on at all.
 */
export async function renewWithin(
  db: Db,
  store: Store,
  transfer: TransferRow,
  { death, tries, heldReason, nowMs }: { death: Death; tries: number; heldReason?: string; nowMs: number },
): Promise<boolean> {
  const { tables } = store;
  const { transfers } = tables;
  const { id, network, generation, amountMicroUsdc } = transfer;
  const isDead = and(eq(transfers.id, id), eq(transfers.generation, generation), isProvenBy(transfers, death));
  // Asked of the row, not of what was read before: the scan may have released it meanwhile.
  const exposed = await db
    .update(transfers)
    .set({ exposed: false })
    .where(and(isDead, eq(transfers.exposed, true), inArray(transfers.status, ['assigned', 'broadcast'])))
    .returning({ id: transfers.id });
  const next = { nonce: null, validBefore: null, signature: null, carrierId: null, exposed: false };
  const [renewed] = await move(db, transfers, {
    from: ['assigned', 'broadcast'],
    where: isDead,
    set: { status: 'queued', generation: generation + 1, ...next, tries, nextTryAtMs: nowMs },
  });
  if (renewed === undefined) return false;
  await giveBackReserve(db, tables, transfer, nowMs);
  if (heldReason !== undefined) {
    await move(db, transfers, { from: ['queued'], where: eq(transfers.id, id), set: { status: 'held', heldReason } });
    await reserve(db, tables, renewed, nowMs);
    await tellPayout(db, tables, id, 'held', nowMs);
  } else if (await mayGoOn(db, tables, transfer, nowMs)) await reserve(db, tables, renewed, nowMs);
  else await returnToEscrow(db, tables, id);
  if (exposed.length > 0) await giveBackExposure(db, store, network, amountMicroUsdc);
  return true;
}
