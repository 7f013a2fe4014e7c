import { and, eq, inArray } from 'drizzle-orm';
import type { TransferRow } from '../payments/records/find.ts';
import { isProvenBy, type Death } from './death.ts';
import { move } from '../store/move.ts';
import type { Db, Store } from '../store/store.ts';
import { mayGoOn, returnToEscrow } from './cross.ts';
import { giveBackExposure } from './exposure.ts';
import { giveBackReserve, reserve } from './reserve.ts';

/**
 * What was signed in this generation can never land: its reserve is given back and a new generation is reserved in
 * the same transaction. On an EVM network it keeps its nonce, so even without that proof only one of them could land.
 */
export async function renewDead(store: Store, transfer: TransferRow, death: Death, nowMs: number): Promise<boolean> {
  return store.tx((db) => renewWithin(db, store, transfer, { death, tries: 0, nowMs }));
}

/**
 * The same inside the caller's transaction. One that our own money on this network pays for goes on only while it does;
 * otherwise its line waits again. `tries` are kept where failing together is a reason to go on apart.
 */
export async function renewWithin(
  db: Db,
  store: Store,
  transfer: TransferRow,
  { death, tries, nowMs }: { death: Death; tries: number; nowMs: number },
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
  if (await mayGoOn(db, tables, transfer, nowMs)) await reserve(db, tables, renewed, nowMs);
  else await returnToEscrow(db, tables, id);
  if (exposed.length > 0) await giveBackExposure(db, store, network, amountMicroUsdc);
  return true;
}
