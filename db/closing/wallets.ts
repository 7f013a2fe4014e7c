import { and, asc, eq, gt, inArray, isNull, lte, notInArray } from 'drizzle-orm';
import { isKnownAddress } from '../../core/wallets/withdrawal-wait.ts';
import type { Network } from '../../core/networks.ts';
import { OPEN_WITHDRAWAL_STATES } from '../../core/states.ts';
import { isTreasuryWallet } from '../../core/treasury/treasury.ts';
import { findOwner } from '../claims/person.ts';
import { payerAccountId } from '../ledger/payer-account.ts';
import { enqueue } from '../store/outbox.ts';
import type { Store } from '../store/store.ts';
import { decidersOf } from '../treasury/treasury-deciders.ts';
import { chatHoldersOf } from '../wallets/holders.ts';
import { addressStanding } from '../withdrawals/standing.ts';

export type ClosingWallet = Store['tables']['closingWallets']['$inferSelect'];

/** In place of a holder: the mailbox whose address the wallet is kept for. */
const MAILBOX = 'mail';

/** Wallets to look at now, those that were never looked at first; `nextDueAtMs`: when the first of the others is due. */
export async function walletsToLookAt(
  { read, tables: { closingWallets } }: Store,
  nowMs: number,
  limit: number,
  except: readonly string[] = [],
) {
  const rows = await read
    .select({ id: closingWallets.id })
    .from(closingWallets)
    .where(and(lte(closingWallets.nextLookAtMs, nowMs), notInArray(closingWallets.id, [...except])))
    .orderBy(asc(closingWallets.nextLookAtMs))
    .limit(limit);
  const [next] = await read
    .select({ atMs: closingWallets.nextLookAtMs })
    .from(closingWallets)
    .where(gt(closingWallets.nextLookAtMs, nowMs))
    .orderBy(asc(closingWallets.nextLookAtMs))
    .limit(1);
  return { items: rows.map(({ id }) => id), nextDueAtMs: next?.atMs ?? null };
}

export async function findClosingWallet(store: Store, id: string): Promise<ClosingWallet | null> {
  const { closingWallets } = store.tables;
  const [row] = await store.read.select().from(closingWallets).where(eq(closingWallets.id, id));
  return row ?? null;
}

/** `sum`: what is there and could leave; `kept`: the part of it that nobody has sent on its way. */
export type Look = { sum: bigint; kept: bigint; sinceMs: number; nextLookAtMs: number };

const HOLDERS_MAX = 100;

/**
 * Writes down what was found, and once, where there is something, has everyone told who can take it out: each is an event of
 * its own, because a chat that does not answer must not delay the others.
 */
export async function noteLook(store: Store, wallet: ClosingWallet, look: Look, nowMs: number): Promise<void> {
  const { closingWallets } = store.tables;
  const { sum, kept, sinceMs, nextLookAtMs } = look;
  const isToldNow = kept > 0n && wallet.toldAtMs === null;
  const told = isToldNow ? await toldOf(store, wallet.walletId) : [];
  await store.tx(async (db) => {
    const isIt = eq(closingWallets.id, wallet.id);
    const seen = { foundMicroUsdc: sum, isLeaving: sum > kept, lookedAtMs: nowMs, nextLookAtMs };
    await db.update(closingWallets).set(seen).where(isIt);
    if (!isToldNow) return;
    await db
      .update(closingWallets)
      .set({ toldAtMs: nowMs })
      .where(and(isIt, isNull(closingWallets.toldAtMs)));
    for (const toldTo of told) {
      const payload = { wallet: wallet.id, sum: kept.toString(), sinceMs, toldTo };
      await enqueue(db, store.tables, 'closing_notice', payload, nowMs);
    }
  });
}

/** A network did not answer: it is looked at again, and nobody is told a sum that may be too small. */
export async function lookAgain(store: Store, id: string, nextLookAtMs: number): Promise<void> {
  const { closingWallets } = store.tables;
  await store.tx(
    async (db) => void (await db.update(closingWallets).set({ nextLookAtMs }).where(eq(closingWallets.id, id))),
  );
}

/** Browsers cannot be written to: their pages say it. */
async function toldOf(store: Store, walletId: string): Promise<string[]> {
  if (isTreasuryWallet(walletId)) return (await decidersOf(store, walletId, HOLDERS_MAX)).map(payerAccountId);
  const holders = await chatHoldersOf(store, walletId, HOLDERS_MAX);
  return [...holders.map(({ holderId }) => payerAccountId(holderId)), MAILBOX];
}

export type SavedPlace = {
  /** Who gave the address; null: the owner of the name did, by collecting to it. */
  holderId: string | null;
  address: string;
};

/**
 * Where a person wants the money of a wallet on a network, by what they have done: an address that their withdrawals may go
 * to at once, the newest first; else the one to which they collect.
 */
export async function savedPlaces(
  store: Store,
  { walletId, network }: { walletId: string; network: Network },
  nowMs: number,
): Promise<SavedPlace[]> {
  const { walletWithdrawals, wallets } = store.tables;
  const rows = await store.read
    .select({
      holderId: walletWithdrawals.holderId,
      address: walletWithdrawals.toAddress,
      createdAtMs: walletWithdrawals.createdAtMs,
    })
    .from(walletWithdrawals)
    .where(
      and(
        eq(walletWithdrawals.walletId, walletId),
        eq(walletWithdrawals.network, network),
        eq(walletWithdrawals.status, 'paid'),
        isNull(walletWithdrawals.toTreasury),
        isNull(walletWithdrawals.calledOffAtMs),
      ),
    );
  const newest = rows.toSorted((one, other) => other.createdAtMs - one.createdAtMs);
  const places: SavedPlace[] = [];
  for (const { holderId, address } of newest) {
    if (places.some((place) => place.address === address)) continue;
    const standing = await addressStanding(store.read, store.tables, { walletId, network, toAddress: address });
    if (isKnownAddress(standing, nowMs)) places.push({ holderId, address });
  }
  const owner = await findOwner(store, walletId);
  if (owner === null) return places;
  const { identityId, network: on, address, source } = wallets;
  const isClaimed = and(eq(identityId, owner.id), eq(on, network), eq(source, 'claim'));
  const [claimed] = await store.read.select({ address }).from(wallets).where(isClaimed);
  return claimed === undefined ? places : [...places, { holderId: null, address: claimed.address }];
}

/** Whether something of the wallet is on its way out on this network: whatever that is, nothing is added to it. */
export async function isLeavingOn(
  { read, tables: { walletWithdrawals } }: Store,
  { walletId, network }: { walletId: string; network: Network },
): Promise<boolean> {
  const ofPlace = and(eq(walletWithdrawals.walletId, walletId), eq(walletWithdrawals.network, network));
  const [row] = await read
    .select({ id: walletWithdrawals.id })
    .from(walletWithdrawals)
    .where(and(ofPlace, inArray(walletWithdrawals.status, [...OPEN_WITHDRAWAL_STATES])))
    .limit(1);
  return row !== undefined;
}
