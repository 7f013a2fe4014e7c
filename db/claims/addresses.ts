import { and, eq, ne, notInArray } from 'drizzle-orm';
import { REPLACEMENT_WAIT_MS } from '../../core/claims/claims.ts';
import { canonicalAddress, networkNamed } from '../../core/networks.ts';
import { liveWallets, type WalletRow } from '../identities/live-wallets.ts';
import type { Db } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { storeWallet, type WalletLink } from '../payouts/link-wallet.ts';
import { waitingLines } from '../payments/records/waiting-lines.ts';

type Links = { identityId: string; claimId: string; links: readonly Omit<WalletLink, 'identityId'>[] };

/**
 * Where a proof wants the money to go. The first address counts at once, and so does the present one, which ends
 * whatever was about to replace it: that is how an owner stops somebody who got hold of the account. One that takes the
 * place of another waits a day (contract, section 8). Answers when the first of those will count, or null when all do.
 *
 * An address that was only published gives way at once: whoever has the account can change it there as well, so waiting
 * would protect nobody. One that an operator linked was checked by a person and waits like a proven one.
 */
export async function placeAddresses(
  db: Db,
  tables: Tables,
  { identityId, claimId, links }: Links,
  nowMs: number,
): Promise<number | null> {
  // As it was before this claim: two first addresses that are given together are both first ones.
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

const toCanonical = ({ network, address }: { network: string; address: string }) =>
  canonicalAddress(networkNamed(network), address);

function isSame(wallet: WalletRow, link: WalletLink): boolean {
  return wallet.network === link.network && wallet.address === link.address;
}

/**
 * Whether money goes to another address now that would go to this one. Where a person has none on a network, what comes
 * in there goes to the one that they have elsewhere; what waits all the same is waiting for an address here.
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
  // Proven twice, it is announced since the first time.
  const effectiveAtMs = pending?.address === address ? pending.effectiveAtMs : nowMs + REPLACEMENT_WAIT_MS;
  const change = { address, source, claimId, effectiveAtMs };
  await db
    .insert(walletChanges)
    .values({ identityId, network, ...change })
    .onConflictDoUpdate({ target: [walletChanges.identityId, walletChanges.network], set: change });
  return effectiveAtMs;
}

/** The present address is also the one that was about to be replaced on networks which have none. */
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
