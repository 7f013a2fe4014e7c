import { walletIdOf, type ClaimWireStatus } from '../../core/claims/claims.ts';
import { sumUsdc } from '../../core/money.ts';
import { isGuardedAt } from '../../core/wallets/passkeys.ts';
import { claimMethodOf } from '../../core/platforms/platforms.ts';
import { formatRecipient } from '../../core/platforms/recipient.ts';
import { admissionOf } from '../../db/claims/confirm.ts';
import type { ClaimRow } from '../../db/claims/find.ts';
import { lastMailAt } from '../../db/claims/mail-limit.ts';
import { findEffectiveAt, findPerson } from '../../db/claims/person.ts';
import { liveWallets } from '../../db/identities/live-wallets.ts';
import { purseRoom } from '../../db/limits/purse-room.ts';
import { readPayoutSettings } from '../../db/limits/settings.ts';
import { passkeysOf } from '../../db/wallets/passkeys.ts';
import { spendsLaterFrom } from '../../db/wallets/holders.ts';
import { claimProgress, waitingFor } from '../../db/payments/records/waiting-lines.ts';
import { MAIL_CODE_TRIES_MAX } from '../../identity/proofs/mail-code.ts';
import type { ClaimSteps, ClaimView } from './claims.ts';
import type { ClaimsDependencies } from './dependencies.ts';
import { domainInstructions } from './domain.ts';
import { destinationsOf } from './payout.ts';
import { recipientOf } from './recipient.ts';
import { readProof, type StoredProof } from './stored-proof.ts';

type Money = Pick<
  ClaimView,
  'total' | 'waitsForRoute' | 'returned' | 'sums' | 'destinations' | 'effectiveAtMs' | 'txnIds' | 'transactionHashes'
> & {
  isPaid: boolean;
};

const NO_MONEY: Money = {
  total: null,
  sums: null,
  waitsForRoute: null,
  returned: null,
  destinations: null,
  effectiveAtMs: null,
  txnIds: [],
  transactionHashes: [],
  isPaid: false,
};

const AT_ONCE = { spendsFromMs: null, looksFromMs: null, isGuarded: false } as const;

/** A claim as its opener may see it. Money is read only after the proof. */
export async function toView(dependencies: ClaimsDependencies, claim: ClaimRow): Promise<ClaimView> {
  const recipient = recipientOf(claim);
  const isOver = claim.expiresAtMs <= dependencies.now();
  const { isPaid, ...money } = await moneyOf(dependencies, claim, isOver);
  const isReturned = money.returned !== null && money.txnIds.length === 0;
  const status = statusOf(claim, { isOver, isPaid, isReturned });
  const kept = status === 'pending' ? readProof(claim) : null;
  const isProven = claim.provenKey !== null && claim.status !== 'rejected';
  return {
    claimId: claim.id,
    recipient,
    method: claimMethodOf(recipient.platform),
    payout: claim.payout,
    status,
    expiresAtMs: claim.expiresAtMs,
    steps: status === 'pending' ? await stepsOf(dependencies, claim, kept) : {},
    reason: isReturned ? 'returned' : reasonOf(claim, kept),
    provenName: isProven ? formatRecipient({ ...recipient, key: claim.provenKey ?? claim.key }) : null,
    ...money,
    ...((status === 'verified' ? await waitOf(dependencies, claim) : null) ?? AT_ONCE),
    receiptSlug: claim.receiptSlug,
  };
}

/** Said before the person confirms: others may keep money for the name already, and then this browser only looks at first. */
async function waitOf(
  { store, now }: ClaimsDependencies,
  claim: ClaimRow,
): Promise<Pick<ClaimView, 'spendsFromMs' | 'looksFromMs' | 'isGuarded'> | null> {
  const { identityId, browserId, payout } = claim;
  if (identityId === null || browserId === null || !('keep' in payout || 'open' in payout)) return null;
  const person = await findPerson(store, identityId);
  if (person === null) return null;
  const { platform } = recipientOf(claim);
  const admission = await admissionOf(store.read, store.tables, { identityId, platform, payout }, now());
  const walletId = walletIdOf(platform, person.stableId);
  const later = await spendsLaterFrom(store, { walletId, holderId: browserId }, admission);
  if (later === null) return null;
  const known = await passkeysOf(store.read, store.tables, walletId, now());
  return { ...later, isGuarded: isGuardedAt(known, later.spendsFromMs) };
}

/** Also why a sign-in proved nothing: the page that the browser returns to says so and offers another. */
function reasonOf({ status, rejectReason }: ClaimRow, kept: StoredProof | null): string | null {
  if (status === 'declined') return 'declined';
  return rejectReason ?? (kept?.method === 'oauth' ? kept.refusal : null);
}

type Progress = { isOver: boolean; isPaid: boolean; isReturned: boolean };

function statusOf(claim: ClaimRow, { isOver, isPaid, isReturned }: Progress): ClaimWireStatus {
  switch (claim.status) {
    case 'open':
      return isOver ? 'expired' : 'pending';
    case 'verified':
      return isOver ? 'expired' : 'verified';
    case 'confirmed':
      // Nothing of it came to the person, so it is not paid.
      if (isReturned) return 'expired';
      return isPaid ? 'paid' : 'paying';
    case 'declined':
    case 'rejected':
      return 'rejected';
  }
}

async function moneyOf(dependencies: ClaimsDependencies, claim: ClaimRow, isOver: boolean): Promise<Money> {
  const { store } = dependencies;
  const { id, identityId, payout, status } = claim;
  if (identityId === null || status === 'rejected' || (status === 'verified' && isOver)) return NO_MONEY;
  const [progress, effectiveAtMs, person] = await Promise.all([
    status === 'verified' ? waiting(dependencies, identityId) : confirmed(dependencies, id, identityId),
    findEffectiveAt(store, id),
    findPerson(store, identityId),
  ]);
  if (person === null) throw new Error(`claim ${id} belongs to ${identityId}, who is not known`);
  const { platform } = recipientOf(claim);
  const destinations = destinationsOf(dependencies, payout, { platform, stableId: person.stableId });
  return {
    ...progress,
    total: sumUsdc(progress.sums.map(({ amount }) => amount)),
    destinations: status === 'declined' || 'decline' in payout ? null : destinations,
    effectiveAtMs,
  };
}

async function waiting({ store }: ClaimsDependencies, identityId: string) {
  const sums = await waitingFor(store, identityId);
  return { sums, txnIds: [], transactionHashes: [], isPaid: false, waitsForRoute: null, returned: null };
}

async function confirmed({ store, now }: ClaimsDependencies, claimId: string, identityId: string) {
  const { read, tables } = store;
  const live = await liveWallets(read, tables, identityId, now());
  const networks = live.filter(({ source }) => source === 'keep').map(({ network }) => network);
  const settings = await readPayoutSettings(read, tables);
  const room = networks.length === 0 ? null : await purseRoom(read, tables, identityId, settings);
  const purse = room === null ? null : { networks, room, maxMicroUsdc: settings.purseMaxMicroUsdc ?? 0n };
  return claimProgress(store, { claimId, reached: live.map(({ network }) => network), purse });
}

async function stepsOf(
  dependencies: ClaimsDependencies,
  claim: ClaimRow,
  kept: StoredProof | null,
): Promise<ClaimSteps> {
  if (claim.method === 'email') {
    const { store, now } = dependencies;
    const triesLeft = Math.max(0, MAIL_CODE_TRIES_MAX - claim.tries);
    const codeExpiresAtMs = kept?.method === 'email' ? kept.codeExpiresAtMs : null;
    const lastMailAtMs = await lastMailAt(store, { address: claim.key, browserId: claim.browserId }, now());
    return { email: { to: claim.key, codeExpiresAtMs, triesLeft, lastMailAtMs } };
  }
  switch (kept?.method) {
    case 'oauth':
      return { oauth: { url: kept.url } };
    case 'siwf':
      return { siwf: { url: kept.channel.url } };
    case 'domain':
      return { domain: domainInstructions(dependencies, claim) };
    case 'email':
    case 'chat':
    case undefined:
      return {};
  }
}
