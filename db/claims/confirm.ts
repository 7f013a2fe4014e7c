import { and, eq, exists, inArray, lt, lte, or, type SQL } from 'drizzle-orm';
import { LAPSING_PLATFORMS, NO_KEEP_PLATFORMS, walletIdOf } from '../../core/claims/claims.ts';
import { canonicalAddress, type Network } from '../../core/networks.ts';
import type { Platform } from '../../core/platforms/platforms.ts';
import { admitHolder, type Admission } from '../wallets/holders.ts';
import { hasReceived } from '../wallets/kept.ts';
import { liveWallets, type WalletRow } from '../identities/live-wallets.ts';
import { purseRoom } from '../limits/purse-room.ts';
import { readPayoutSettings } from '../limits/settings.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { releaseWaiting, type ReleaseDependencies } from '../transfers/link-wallet.ts';
import { placeAddresses } from './addresses.ts';
import { spendToken, type ConfirmToken, type SpentClaim } from './confirm-token.ts';
import { noteClaimLines, waitingLines } from '../payments/records/waiting-lines.ts';

export type ClaimLink = { network: Network; address: string; source: 'claim' | 'keep' };

export type Confirmation = ConfirmToken & {
  /** Where the money goes: the addresses the claim fixed before its proof, or those of the wallet for "keep". */
  links: readonly ClaimLink[];
  /** With "keep": the holder who may look into that wallet from now on, and spend from it, at once or after a wait. */
  holder: { holderId: string; walletId: string; name: string } | null;
};

export type ConfirmResult =
  /** `effectiveAtMs`: another address stands until then, when the first of the new ones begins to count. */
  { kind: 'confirmed'; payoutIds: string[]; effectiveAtMs: number | null } | { kind: 'already' } | { kind: 'refused' };

/**
 * The person confirmed. In one transaction the token is spent, the addresses are stored, and what waits for this
 * identity becomes payouts. Collecting also clears an earlier opt-out.
 */
export async function confirmClaim(
  store: Store,
  confirmation: Confirmation,
  dependencies: ReleaseDependencies,
): Promise<ConfirmResult> {
  const { tables } = store;
  const { nowMs } = dependencies;
  return store.tx(async (db) => {
    const claim = await spendToken(db, tables, confirmation, 'confirmed', nowMs);
    if (claim === 'already' || claim === 'refused') return { kind: claim };
    assertFixed(claim, confirmation.links);
    const { identityId } = claim;
    await welcome(db, tables, claim, { ...confirmation, nowMs });
    // Signing in says nothing about where money goes, and leaves what waits where it is.
    if ('open' in claim.payout) return { kind: 'confirmed', payoutIds: [], effectiveAtMs: null };
    const placed = { identityId, claimId: claim.id, links: confirmation.links };
    const effectiveAtMs = await placeAddresses(db, tables, placed, nowMs);
    const payoutIds = await release(db, tables, claim, dependencies);
    return { kind: 'confirmed', payoutIds, effectiveAtMs };
  });
}

/** Clears an opt-out when money is collected, and lets the browser or chat account that proved the identity into its wallet. */
async function welcome(
  db: Db,
  tables: Tables,
  claim: SpentClaim,
  { holder, nowMs }: Pick<Confirmation, 'holder'> & { nowMs: number },
): Promise<void> {
  const { identities } = tables;
  const isIt = eq(identities.id, claim.identityId);
  const [identity] =
    'open' in claim.payout
      ? await db.select().from(identities).where(isIt)
      : await db.update(identities).set({ optedOutAtMs: null }).where(isIt).returning();
  if (claim.language !== null) await db.update(identities).set({ language: claim.language }).where(isIt);
  if (identity === undefined) throw new Error(`claim ${claim.id} was verified for ${claim.identityId}, who is gone`);
  if (holder === null) return;
  const own = walletIdOf(identity.platform as Platform, identity.stableId);
  const isForHolder = 'keep' in claim.payout || 'open' in claim.payout;
  if (!isForHolder || holder.walletId !== own) {
    throw new Error(`claim ${claim.id} would give away the wallet ${holder.walletId}; the proven one is ${own}`);
  }
  await admitHolder(db, tables, { ...holder, identityId: identity.id }, await admissionOf(db, tables, claim, nowMs));
}

/**
 * Also asked before the person confirms, to say what follows. Where money came into the purse by itself, more of it that waits
 * makes nobody the first: a stranger could have sent that, to take over what the holder has there.
 */
export async function admissionOf(
  db: Db,
  tables: Tables,
  { identityId, platform, payout }: Pick<SpentClaim, 'identityId' | 'platform' | 'payout'>,
  nowMs: number,
): Promise<Admission> {
  const mayLapse = LAPSING_PLATFORMS.some((name) => name === platform);
  if (!('keep' in payout)) return { mayLapse, keeps: null, nowMs };
  const waiting = await waitingLines(db, tables, eq(tables.lines.identityId, identityId));
  const isFirstMoney = waiting.length > 0 && !(await hasReceived(db, tables, identityId));
  return { mayLapse, keeps: isFirstMoney ? 'money' : 'nothing', nowMs };
}

/**
 * All that waits is noted first: also the lines beyond one transaction's limit, which the worker pays out later, and
 * those that no address of this person can take yet. The claim is paid only once each of them is.
 */
async function release(
  db: Db,
  tables: Tables,
  { id, identityId }: SpentClaim,
  dependencies: ReleaseDependencies,
): Promise<string[]> {
  const live = await liveWallets(db, tables, identityId, dependencies.nowMs);
  const networks = live.map(({ network }) => network);
  const waiting = live.length === 0 ? [] : await waitingLines(db, tables, eq(tables.lines.identityId, identityId));
  const released = await releaseWaiting(db, tables, identityId, dependencies);
  const txnIds = [...waiting, ...released].map(({ txnId }) => txnId);
  await noteClaimLines(db, tables, id, [...new Set(txnIds)]);
  if (waiting.some(({ network }) => networks.includes(network))) {
    const here = await payable(db, tables, identityId, live);
    await keepFromExpiring(db, tables, { identityId, here }, dependencies.nowMs);
  }
  return released.map(({ payoutId }) => payoutId);
}

/**
 * True for a line that an address of its own network takes: what a purse has no room for expires, however often its owner claims
 * again.
 */
async function payable(
  db: Db,
  tables: Tables,
  identityId: string,
  live: readonly WalletRow[],
): Promise<SQL | undefined> {
  const { lines, payments } = tables;
  const on = (isKept: boolean) =>
    live.filter(({ source }) => (source === 'keep') === isKept).map(({ network }) => network);
  const room =
    on(true).length === 0 ? null : await purseRoom(db, tables, identityId, await readPayoutSettings(db, tables));
  const fits = room === null ? undefined : lte(lines.amountMicroUsdc, room);
  return or(inArray(payments.network, on(false)), and(inArray(payments.network, on(true)), fits));
}

/** How long the worker may be down before it pays out the rest. */
const TAKEN_UP_MS = 24 * 3_600_000;

/** Nothing expired while the claim waited for confirmation; lines left to the worker must not expire before it runs. */
async function keepFromExpiring(
  db: Db,
  { lines, payments }: Tables,
  { identityId, here }: { identityId: string; here: SQL | undefined },
  nowMs: number,
): Promise<void> {
  const untilMs = nowMs + TAKEN_UP_MS;
  const payment = db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.id, lines.paymentId), here));
  await db
    .update(lines)
    .set({ expiresAtMs: untilMs })
    .where(
      and(
        eq(lines.identityId, identityId),
        eq(lines.status, 'escrowed'),
        lt(lines.expiresAtMs, untilMs),
        exists(payment),
      ),
    );
}

/** A destination not fixed before the proof was not named in it: a stranger could have put it there. */
function assertFixed({ id, platform, payout }: SpentClaim, links: readonly ClaimLink[]): void {
  if ('decline' in payout) throw new Error(`claim ${id} was opened to send the money back, and cannot collect it`);
  if (('keep' in payout || 'open' in payout) && NO_KEEP_PLATFORMS.some((name) => name === platform)) {
    throw new Error(`claim ${id} would keep money for a name on ${platform}, which changes owners`);
  }
  for (const { network, address, source } of links) {
    const fixed = 'keep' in payout ? address : 'open' in payout ? undefined : payout[network];
    const fits = fixed !== undefined && canonicalAddress(network, fixed) === canonicalAddress(network, address);
    if (!fits || source !== ('keep' in payout ? 'keep' : 'claim')) {
      throw new Error(`claim ${id} was not proven for ${address} on ${network}`);
    }
  }
}
