import { and, eq, inArray, or } from 'drizzle-orm';
import type { Network } from '../../core/networks.ts';
import { addWithin, takeWithin } from '../store/counters.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

/** A token account that we open for its owner. `isKept`: it counts against the share of wallets that are kept here. */
export type Opening = { owner: string; person: string; isKept: boolean };

export type OpeningCaps = {
  openings: readonly Opening[];
  /** These books are older than the chain, which has opened them already: they count whatever the day has left. */
  hasLanded: boolean;
  /** How many may be opened today, and how many of them for wallets that are kept here. */
  all: DailyCap;
  kept: DailyCap;
};

export type DailyCap = { counter: string; max: number };

/**
 * The person a payout is for, as far as it decides about an account. `isKept`: the wallet's key is in our hands, so nobody can
 * take the rent out. Such an account is remembered apart: its person may also have one of their own.
 */
export type Payee = { person: string; sinceMs: number | null; isKept: boolean };

/** Payouts of lines only: money that goes back needs no known person. */
export async function payeesOf(store: Store, payoutIds: readonly string[]): Promise<Map<string, Payee>> {
  const { transfers, lines, identities, wallets } = store.tables;
  if (payoutIds.length === 0) return new Map();
  const here = and(eq(wallets.identityId, lines.identityId), eq(wallets.network, transfers.network));
  const rows = await store.read
    .select({
      id: transfers.id,
      to: transfers.toAddress,
      identityId: identities.id,
      sinceMs: identities.sinceMs,
      source: wallets.source,
      address: wallets.address,
    })
    .from(transfers)
    .innerJoin(lines, eq(lines.payoutId, transfers.id))
    .innerJoin(identities, eq(identities.id, lines.identityId))
    .leftJoin(wallets, here)
    .where(and(inArray(transfers.id, [...payoutIds]), eq(transfers.purpose, 'payout')));
  return new Map(
    rows.map(({ id, identityId, sinceMs, source, to, address }) => {
      const isKept = source === 'keep' && address === to;
      return [id, { person: isKept ? `keep:${identityId}` : identityId, sinceMs, isKept }];
    }),
  );
}

/** Whose withdrawal it is. A wallet that has never been paid has no identity yet. */
export async function holderOfWithdrawal(store: Store, withdrawalId: string): Promise<Payee | null> {
  const { walletWithdrawals, identities } = store.tables;
  const [row] = await store.read
    .select({ walletId: walletWithdrawals.walletId })
    .from(walletWithdrawals)
    .where(eq(walletWithdrawals.id, withdrawalId));
  if (row === undefined) return null;
  const [platform = '', ...rest] = row.walletId.split(':');
  const [known] = await store.read
    .select({ identityId: identities.id, sinceMs: identities.sinceMs })
    .from(identities)
    .where(and(eq(identities.platform, platform), eq(identities.stableId, rest.join(':'))));
  return { person: known?.identityId ?? row.walletId, sinceMs: known?.sinceMs ?? null, isKept: false };
}

/** Which of these owners and people have had an account from us. */
export async function openedBefore(
  store: Store,
  network: Network,
  { owners, persons }: { owners: readonly string[]; persons: readonly string[] },
): Promise<ReadonlySet<string>> {
  const { accountOpenings } = store.tables;
  if (owners.length === 0) return new Set();
  const rows = await store.read
    .select({ owner: accountOpenings.owner, person: accountOpenings.person })
    .from(accountOpenings)
    .where(
      and(
        eq(accountOpenings.network, network),
        or(inArray(accountOpenings.owner, [...owners]), inArray(accountOpenings.person, [...persons])),
      ),
    );
  return new Set(rows.flatMap(({ owner, person }) => [owner, person]));
}

/**
 * Stores the openings of a transaction before it is sent. False, and the caller keeps nothing, where the day has no
 * room, or one of the owners or people had an account from us before.
 */
export async function takeOpenings(
  db: Db,
  store: Store,
  carrier: { id: string; network: Network },
  { openings, hasLanded, all, kept }: OpeningCaps,
  nowMs: number,
): Promise<boolean> {
  if (openings.length === 0) return true;
  const ofKept = openings.filter(({ isKept }) => isKept).length;
  const take = async ({ counter, max }: DailyCap, count: number): Promise<boolean> => {
    if (!hasLanded) return takeWithin(db, store, counter, BigInt(count), BigInt(max));
    await addWithin(db, store, counter, BigInt(count));
    return true;
  };
  if (!(await take(all, openings.length))) return false;
  if (ofKept > 0 && !(await take(kept, ofKept))) return false;
  const { accountOpenings } = store.tables;
  const rows = openings.map(({ owner, person }) => ({ owner, person }));
  const inserted = await db
    .insert(accountOpenings)
    .values(rows.map((row) => ({ ...row, network: carrier.network, carrierId: carrier.id, atMs: nowMs })))
    .onConflictDoNothing()
    .returning({ owner: accountOpenings.owner });
  return hasLanded || inserted.length === openings.length;
}

/** Its transaction certainly opened nothing. */
export async function takeBackOpenings(db: Db, { accountOpenings }: Tables, carrierId: string): Promise<void> {
  await db.delete(accountOpenings).where(eq(accountOpenings.carrierId, carrierId));
}
