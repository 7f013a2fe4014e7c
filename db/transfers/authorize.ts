import { and, asc, eq, inArray, isNull, lte, or } from 'drizzle-orm';
import { payoutDead, payoutReserved } from '../../core/ledger.ts';
import type { Network } from '../../core/networks.ts';
import { isProvenBy, type Death } from '../store/death.ts';
import { addWithin, takeWithin } from '../store/counters.ts';
import { postEntry } from '../ledger/ledger.ts';
import { move } from '../store/move.ts';
import type { TransferRow } from '../payments/records/find.ts';
import type { Db, Store } from '../store/store.ts';
import { mayGoOn, returnToEscrow } from './cross.ts';

export type SignedPayout = { id: string; generation: number; nonce: string; validBefore: number; signature: string };

/** Reserved payouts that have no signed authorization yet, oldest first. */
export async function queuedPayouts(
  store: Store,
  network: string,
  nowMs: number,
  limit: number,
): Promise<TransferRow[]> {
  const { transfers } = store.tables;
  return store.read
    .select()
    .from(transfers)
    .where(and(eq(transfers.status, 'queued'), eq(transfers.network, network), lte(transfers.nextTryAtMs, nowMs)))
    .orderBy(asc(transfers.createdAtMs))
    .limit(limit);
}

/** Payouts whose authorization is signed and stored, and that may go into a batch now, oldest first. */
export async function payoutCandidates(store: Store, network: string, nowMs: number, limit: number) {
  const { transfers } = store.tables;
  return store.read
    .select()
    .from(transfers)
    .where(
      and(
        eq(transfers.status, 'assigned'),
        isNull(transfers.carrierId),
        lte(transfers.nextTryAtMs, nowMs),
        eq(transfers.network, network),
      ),
    )
    .orderBy(asc(transfers.createdAtMs))
    .limit(limit);
}

/**
 * Stores signed authorizations before anything that contains them is built. A payout whose inbound is not safe yet
 * counts against the exposure cap; where the cap leaves no room it stays queued and its signature is thrown away
 * unused. Answers the ids that were assigned.
 */
export async function assignPayouts(
  store: Store,
  signed: readonly (SignedPayout & { amountMicroUsdc: bigint; exposed: boolean })[],
  exposure: { counter: string; capMicroUsdc: bigint },
  nowMs: number,
): Promise<string[]> {
  const { counter, capMicroUsdc } = exposure;
  const { transfers } = store.tables;
  return store.tx(async (db) => {
    const assigned: string[] = [];
    for (const one of signed) {
      if (one.exposed && !(await takeWithin(db, store, counter, one.amountMicroUsdc, capMicroUsdc))) {
        await postpone(db, store, one.id, nowMs + 1_000);
        continue;
      }
      const { nonce, validBefore, signature, exposed } = one;
      const moved = await move(db, transfers, {
        from: ['queued'],
        where: and(eq(transfers.id, one.id), eq(transfers.generation, one.generation)),
        set: { status: 'assigned', nonce, validBefore, signature, exposed },
      });
      if (moved.length === 0) throw new Error(`payout ${one.id} was no longer queued in generation ${one.generation}`);
      assigned.push(one.id);
    }
    return assigned;
  });
}

async function postpone(db: Db, store: Store, id: string, nextTryAtMs: number): Promise<void> {
  const { transfers } = store.tables;
  await db
    .update(transfers)
    .set({ nextTryAtMs })
    .where(and(eq(transfers.id, id), eq(transfers.status, 'queued')));
}

/**
 * Sets a payout aside because it would fail as things stand (a blacklisted recipient). Allowed only while nothing signed
 * can land it: it is queued, or the authorization that it was assigned has never been in a batch (`tries`).
 */
export async function holdPayout(store: Store, payoutId: string, reason: string): Promise<boolean> {
  const { transfers } = store.tables;
  const neverSent = and(eq(transfers.status, 'assigned'), isNull(transfers.carrierId), eq(transfers.tries, 0));
  const isUnsent = or(eq(transfers.status, 'queued'), neverSent);
  const moved = await store.tx((db) =>
    move(db, transfers, {
      where: and(eq(transfers.id, payoutId), isUnsent),
      set: { status: 'held', heldReason: reason },
    }),
  );
  return moved.length > 0;
}

/** Puts a payout off whose simulation says "not now". */
export async function postponePayout(store: Store, payoutId: string, nextTryAtMs: number): Promise<void> {
  const { transfers } = store.tables;
  await store.tx((db) =>
    db
      .update(transfers)
      .set({ nextTryAtMs })
      .where(and(eq(transfers.id, payoutId), eq(transfers.status, 'assigned'), isNull(transfers.carrierId))),
  );
}

/** Puts queued payouts off that cannot be signed now. */
export async function postponeQueued(store: Store, ids: readonly string[], nextTryAtMs: number): Promise<void> {
  if (ids.length === 0) return;
  const { transfers } = store.tables;
  await store.tx((db) =>
    db
      .update(transfers)
      .set({ nextTryAtMs })
      .where(and(inArray(transfers.id, [...ids]), eq(transfers.status, 'queued'))),
  );
}

/** Payouts whose authorization has been signed and may have run out unused. */
export async function expiredPayouts(store: Store, network: string, chainTime: number, limit: number) {
  const { transfers } = store.tables;
  return store.read
    .select()
    .from(transfers)
    .where(
      and(
        eq(transfers.network, network),
        inArray(transfers.status, ['assigned', 'broadcast']),
        lte(transfers.validBefore, chainTime),
      ),
    )
    .limit(limit);
}

/**
 * This generation's authorization can never land: its reserve is given back and a new generation, with a new nonce, is
 * reserved in the same transaction.
 */
export async function renewDeadPayout(
  store: Store,
  payout: TransferRow,
  death: Death,
  nowMs: number,
): Promise<boolean> {
  return store.tx((db) => renewWithin(db, store, payout, { death, tries: 0, nowMs }));
}

/**
 * The same inside the caller's transaction. One that our own money on this network pays for goes on only while it does;
 * otherwise its line waits again. `tries` are kept where failing together is a reason to go on apart.
 */
export async function renewWithin(
  db: Db,
  store: Store,
  payout: TransferRow,
  { death, tries, nowMs }: { death: Death; tries: number; nowMs: number },
): Promise<boolean> {
  const { transfers } = store.tables;
  const { id, generation } = payout;
  // Asked of the row, not of what was read before: the scan may have released it meanwhile.
  const exposed = await db
    .update(transfers)
    .set({ exposed: false })
    .where(
      and(
        eq(transfers.id, id),
        eq(transfers.generation, generation),
        eq(transfers.exposed, true),
        inArray(transfers.status, ['assigned', 'broadcast']),
        isProvenBy(transfers, death),
      ),
    )
    .returning({ id: transfers.id });
  const moved = await move(db, transfers, {
    from: ['assigned', 'broadcast'],
    where: and(eq(transfers.id, id), eq(transfers.generation, generation), isProvenBy(transfers, death)),
    set: {
      status: 'queued',
      generation: generation + 1,
      nonce: null,
      validBefore: null,
      signature: null,
      exposed: false,
      carrierId: null,
      tries,
      nextTryAtMs: nowMs,
    },
  });
  if (moved.length === 0) return false;
  const network = payout.network as Network;
  const crossFrom = payout.crossFrom as Network | null;
  const { sourceAccount, amountMicroUsdc: amount } = payout;
  const event = { network, payoutId: id, sourceAccount, amount, crossFrom };
  await postEntry(db, store.tables, payoutDead({ ...event, generation }), nowMs);
  if (await mayGoOn(db, store.tables, payout, nowMs))
    await postEntry(db, store.tables, payoutReserved({ ...event, generation: generation + 1 }), nowMs);
  else await returnToEscrow(db, store.tables, id);
  if (exposed.length > 0) await giveBackExposure(db, store, network, payout.amountMicroUsdc);
  return true;
}

export const exposureCounter = (network: string) => `exposure:${network}`;

export async function giveBackExposure(db: Db, store: Store, network: string, amount: bigint): Promise<void> {
  await addWithin(db, store, exposureCounter(network), -amount);
}
