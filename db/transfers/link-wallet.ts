import { and, asc, eq, inArray } from 'drizzle-orm';
import { type Network, canonicalAddress, networkNamed } from '../../core/networks.ts';
import type { TransferIdOf } from '../../core/transfers/source.ts';
import { liveWallets } from '../identities/live-wallets.ts';
import { createPayout, findRoute } from './create.ts';
import { readPayoutSettings } from '../limits/settings.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

/**
 * The most lines paid out in one transaction; the worker's rounds pay the others a few seconds later. A line takes 13
 * statements, and a transaction has 10 s in all: without a limit, a stranger's many small payments could keep a
 * recipient from collecting anything.
 */
export const RELEASED_MAX = 25;

export type WalletLink = {
  identityId: string;
  network: Network;
  address: string;
  source: string;
};

export type ReleaseDependencies = { transferIdOf: TransferIdOf; nowMs: number };

/**
 * Remembers where an identity's money goes and turns what waits for it in escrow into payouts, in one transaction: all
 * that came in on that network, and of what came in on others as much as our own money there covers. The address must
 * have been checked by the caller. Answers the ids of the new payouts, at most `RELEASED_MAX`.
 */
export async function linkWallet(
  store: Store,
  link: WalletLink,
  transferIdOf: TransferIdOf,
  nowMs: number,
): Promise<string[]> {
  return store.tx((db) => linkWithin(db, store.tables, link, { transferIdOf, nowMs }));
}

/** The same inside the caller's transaction. */
export async function linkWithin(
  db: Db,
  tables: Tables,
  link: WalletLink,
  dependencies: ReleaseDependencies,
): Promise<string[]> {
  await storeWallet(db, tables, link, dependencies.nowMs);
  const released = await releaseWaiting(db, tables, link.identityId, dependencies);
  return released.map(({ payoutId }) => payoutId);
}

/**
 * The address counts from now on, and a pending replacement is cancelled. A published address never replaces a proven
 * one: it may have been read before the proof and arrive after it.
 */
export async function storeWallet(db: Db, tables: Tables, link: WalletLink, nowMs: number): Promise<void> {
  const { walletChanges, wallets } = tables;
  const { identityId, network, source } = link;
  if (source === 'published' && (await isTaken(db, tables, link, nowMs))) return;
  const address = canonicalAddress(networkNamed(network), link.address);
  await db
    .delete(walletChanges)
    .where(and(eq(walletChanges.identityId, identityId), eq(walletChanges.network, network)));
  await db
    .insert(wallets)
    .values({ identityId, network, source, address, linkedAtMs: nowMs, usedAtMs: nowMs })
    .onConflictDoUpdate({
      target: [wallets.identityId, wallets.network],
      set: { address, source, linkedAtMs: nowMs, usedAtMs: nowMs, fullUntilMs: null },
    });
}

async function isTaken(db: Db, tables: Tables, link: WalletLink, nowMs: number): Promise<boolean> {
  const known = await liveWallets(db, tables, link.identityId, nowMs);
  return known.some(({ network, source }) => network === link.network && source !== 'published');
}

/** Makes a payout of each line that waits for this person and has a way to them now, the oldest first. */
export async function releaseWaiting(
  db: Db,
  tables: Tables,
  identityId: string,
  { transferIdOf, nowMs }: ReleaseDependencies,
): Promise<{ txnId: number; payoutId: string }[]> {
  const { lines, payments } = tables;
  const waiting = await db
    .select({ line: lines, payment: payments })
    .from(lines)
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(
      and(
        eq(lines.identityId, identityId),
        eq(lines.status, 'escrowed'),
        // After a reorganisation the money of an open payment is not in escrow any more.
        inArray(payments.status, ['settled', 'final']),
      ),
    )
    .orderBy(asc(payments.createdAtMs))
    .limit(RELEASED_MAX);
  const settings = await readPayoutSettings(db, tables);
  const dependencies = { tables, transferIdOf, nowMs, settings, rooms: new Map() };
  const released = [];
  for (const owed of waiting) {
    const route = await findRoute(db, dependencies, owed);
    if (route === null) continue;
    const { payoutId } = await createPayout(db, dependencies, owed, route);
    released.push({ txnId: owed.line.txnId, payoutId });
  }
  return released;
}
