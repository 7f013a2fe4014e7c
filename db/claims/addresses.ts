import { and, eq, ne, notInArray } from 'drizzle-orm';
import { REPLACEMENT_WAIT_MS } from '../../core/claims/claims.ts';
import { type Network, canonicalAddress, networkNamed } from '../../core/networks.ts';
import { liveWallets, type WalletRow } from '../identities/live-wallets.ts';
import type { Db } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { storeWallet, type WalletLink } from '../transfers/link-wallet.ts';
import { waitingLines } from '../payments/records/waiting-lines.ts';

type Links = { identityId: string; claimId: string; links: readonly Omit<WalletLink, 'identityId'>[] };

/**
 * Stores where a proof sends the money. A first address counts at once. So does the present one, and it cancels its
 * pending replacement: that is how an owner stops a thief of the account. A replacement waits a day.
 * Answers when the first replacement will count, or null when all addresses count.
 *
 * A merely published address gives way at once: a thief of the account can change it there as well, so waiting would
 * not protect the owner. One that an operator linked was checked by a person and waits like a proven one.
 */
export async function placeAddresses(
  db: Db,
  tables: Tables,
  { identityId, claimId, links }: Links,
  nowMs: number,
): Promise<number | null> {
  // The addresses before this claim: two first addresses given together both count as first.
  const known = await liveWallets(db, tables, identityId, nowMs);
  const begins: number[] = [];
  for (const link of links.map((each) => ({ ...each, identityId, address: toCanonical(each) }))) {
    if (await replaces(db, tables, link, known)) {
      begins.push(await announce(db, tables, { ...link, claimId }, nowMs));
      continue;
    }
    await storeWallet(db, tables, link, nowMs);
    if (known.some((wallet) => isSame(wallet, link))) await endOthers(db, tables, { identityId, claimId }, known);
  }
  return begins.length === 0 ? null : Math.min(...begins);
}

const toCanonical = ({ network, address }: { network: Network; address: string }) =>
  canonicalAddress(networkNamed(network), address);

function isSame(wallet: WalletRow, link: WalletLink): boolean {
  return wallet.network === link.network && wallet.address === link.address;
}

/**
 * Whether the link would take money away from another address. Without an address on a network, money from there goes
 * to the person's address elsewhere; if money waits all the same, it waits for an address here.
 */
async function replaces(db: Db, tables: Tables, link: WalletLink, known: readonly WalletRow[]): Promise<boolean> {
  const { identityId, network } = link;
  const present = known.find((wallet) => wallet.network === network);
  if (present !== undefined) return present.address !== link.address && present.source !== 'published';
  if (known.every(({ source }) => source === 'published')) return false;
  const here = and(eq(tables.lines.identityId, identityId), eq(tables.payments.network, network));
  return (await waitingLines(db, tables, here)).length === 0;
}

async function announce(
  db: Db,
  { walletChanges }: Tables,
  { identityId, network, address, source, claimId }: WalletLink & { claimId: string },
  nowMs: number,
): Promise<number> {
  const here = and(eq(walletChanges.identityId, identityId), eq(walletChanges.network, network));
  const [pending] = await db.select().from(walletChanges).where(here);
  // Proven again, its day still runs from the first time.
  const effectiveAtMs = pending?.address === address ? pending.effectiveAtMs : nowMs + REPLACEMENT_WAIT_MS;
  const change = { address, source, claimId, effectiveAtMs };
  await db
    .insert(walletChanges)
    .values({ identityId, network, ...change })
    .onConflictDoUpdate({ target: [walletChanges.identityId, walletChanges.network], set: change });
  return effectiveAtMs;
}

/** Proving the present address also cancels pending addresses on networks that have none. */
async function endOthers(
  db: Db,
  { walletChanges }: Tables,
  { identityId, claimId }: { identityId: string; claimId: string },
  known: readonly WalletRow[],
): Promise<void> {
  const elsewhere = notInArray(
    walletChanges.network,
    known.map(({ network }) => network),
  );
  const older = and(eq(walletChanges.identityId, identityId), ne(walletChanges.claimId, claimId));
  await db.delete(walletChanges).where(and(older, elsewhere));
}
