import { and, eq, inArray, isNull, or } from 'drizzle-orm';
import { TRANSFERS } from '../../core/transfers/purposes.ts';
import { tellPayout } from '../events/tell.ts';
import { checkStops, signingTx, type SignedCarrier } from '../processes/signing.ts';
import { takeWithin } from '../store/counters.ts';
import { move, moveSigned } from '../store/move.ts';
import type { Db, Store } from '../store/store.ts';

export type SignedTransfer = {
  id: string;
  /** Whose key has signed. */
  fromAddress: string;
  generation: number;
  nonce: string;
  validBefore: number;
  signature: string;
  amountMicroUsdc: bigint;
  /** The inbound that funds it is not safe yet. */
  exposed: boolean;
};

/**
 * Stores signed authorizations before anything that contains them is built. A transfer whose inbound is not safe yet
 * counts against the exposure cap; where the cap leaves no room it stays queued and its signature is thrown away
 * unused. Answers the ids that were assigned.
 */
export async function assignTransfers(
  store: Store,
  signed: readonly SignedTransfer[],
  exposure: { counter: string; capMicroUsdc: bigint },
  nowMs: number,
): Promise<string[]> {
  const { counter, capMicroUsdc } = exposure;
  const { transfers } = store.tables;
  return signingTx(store, { under: null, carrier: null }, async (db) => {
    const assigned: string[] = [];
    const carriers = new Map<string, SignedCarrier>();
    for (const { id, fromAddress, generation, amountMicroUsdc, exposed, nonce, validBefore, signature } of signed) {
      if (exposed && !(await takeWithin(db, store, counter, amountMicroUsdc, capMicroUsdc))) {
        await postponeWithin(db, store, [id], nowMs + 1_000);
        continue;
      }
      const moved = await moveSigned(db, transfers, {
        from: ['queued'],
        // Of two addresses of ours the token would take the same nonce, so the one that signed is named.
        where: and(eq(transfers.id, id), eq(transfers.generation, generation), eq(transfers.fromAddress, fromAddress)),
        set: { status: 'assigned', nonce, validBefore, signature, exposed },
      });
      if (moved.length === 0)
        throw new Error(`transfer ${id} was no longer queued in generation ${generation} at ${fromAddress}`);
      assigned.push(id);
      for (const { network, purpose } of moved) {
        const kind = TRANSFERS[purpose].carrier;
        carriers.set(`${kind} ${network}`, { network, kind, step: 'new' });
      }
    }
    for (const carrier of carriers.values()) await checkStops(db, carrier);
    return assigned;
  });
}

/** Puts transfers off that cannot be signed or sent now. */
export async function postponeTransfers(store: Store, ids: readonly string[], nextTryAtMs: number): Promise<void> {
  if (ids.length > 0) await store.tx((db) => postponeWithin(db, store, ids, nextTryAtMs));
}

async function postponeWithin(db: Db, store: Store, ids: readonly string[], nextTryAtMs: number): Promise<void> {
  const { transfers } = store.tables;
  const waits = and(inArray(transfers.status, ['queued', 'assigned']), isNull(transfers.carrierId));
  await db
    .update(transfers)
    .set({ nextTryAtMs })
    .where(and(inArray(transfers.id, [...ids]), waits));
}

/**
 * Sets a transfer aside because it would fail as things stand (a blacklisted recipient). Allowed only while nothing
 * signed can land it: it is queued, or the authorization that it was assigned has never been in a batch (`tries`).
 */
export async function holdTransfer(store: Store, transferId: string, reason: string, nowMs: number): Promise<boolean> {
  const { transfers } = store.tables;
  const neverSent = and(eq(transfers.status, 'assigned'), isNull(transfers.carrierId), eq(transfers.tries, 0));
  const isUnsent = or(eq(transfers.status, 'queued'), neverSent);
  return store.tx(async (db) => {
    const moved = await move(db, transfers, {
      where: and(eq(transfers.id, transferId), isUnsent),
      set: { status: 'held', heldReason: reason },
    });
    if (moved.length > 0) await tellPayout(db, store.tables, transferId, 'held', nowMs);
    return moved.length > 0;
  });
}
