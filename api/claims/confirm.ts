import { createHash } from 'node:crypto';
import { walletIdOf } from '../../core/claims/claims.ts';
import { AppError } from '../../core/errors.ts';
import { claimMethodOf } from '../../core/platforms/platforms.ts';
import { formatRecipient } from '../../core/platforms/recipient.ts';
import { confirmClaim } from '../../db/claims/confirm.ts';
import { issueConfirmHash } from '../../db/claims/confirm-token.ts';
import { declineClaim } from '../../db/claims/decline.ts';
import type { ClaimRow } from '../../db/claims/find.ts';
import { findPerson } from '../../db/claims/person.ts';
import type { Opener } from './claims.ts';
import type { ClaimsDependencies } from './dependencies.ts';
import { checkDomain } from './domain.ts';
import { checkPayout, destinationsOf, refuseScreened } from './payout.ts';
import { isToBeProven } from './prove.ts';
import { recipientOf } from './recipient.ts';

/** Issues a fresh confirmation token and ends the one before. Only its hash is stored. */
export async function issueToken({ store, random, now }: ClaimsDependencies, claim: ClaimRow): Promise<string> {
  if (isDone(claim, now())) throw new AppError('claim_refused', { detail: 'This claim is done already.' });
  const token = Buffer.from(random(32)).toString('base64url');
  if (await issueConfirmHash(store, claim.id, hashToken(token), now())) return token;
  throw new AppError('claim_expired');
}

/**
 * Confirms once: what waits is paid out to where the claim said before its proof. Checks everything again that may have
 * changed since.
 */
export async function confirm(
  dependencies: ClaimsDependencies,
  claim: ClaimRow,
  token: string,
  opener: Opener,
): Promise<void> {
  if ('decline' in claim.payout) return decline(dependencies, claim, token, { optOut: false });
  const { store, transferIdOf, now, notify, announce } = dependencies;
  if (isDone(claim, now())) return;
  checkToken(claim, token);
  const recipient = recipientOf(claim);
  await checkPayout(dependencies, recipient.platform, claim.payout);
  await checkStillProven(dependencies, claim);
  const person = { platform: recipient.platform, stableId: await stableIdOf(dependencies, claim) };
  const source = 'keep' in claim.payout ? ('keep' as const) : ('claim' as const);
  const links = destinationsOf(dependencies, claim.payout, person).map((link) => ({ ...link, source }));
  await refuseScreened(dependencies, claim, links);
  const isForHolder = 'keep' in claim.payout || 'open' in claim.payout;
  const holder = isForHolder ? holderOf(claim, person, opener) : null;
  const last = { claimId: claim.id, confirmHash: hashToken(token), links, holder };
  const result = await confirmClaim(store, last, { transferIdOf, nowMs: now() });
  if (result.kind === 'refused') throw new AppError('invalid_confirm_token', { field: 'confirm_token' });
  notify();
  announce(claim.id);
}

/** Sends back what waits; with `optOut` later payments are refused as well. */
export async function decline(
  dependencies: ClaimsDependencies,
  claim: ClaimRow,
  token: string,
  { optOut }: { optOut: boolean },
): Promise<void> {
  const { store, now, notify, announce } = dependencies;
  if ('open' in claim.payout) {
    throw new AppError('claim_refused', {
      detail: 'This claim was opened to look at what is kept, and moves nothing.',
    });
  }
  if (isDone(claim, now())) return;
  checkToken(claim, token);
  await checkStillProven(dependencies, claim);
  const last = { claimId: claim.id, confirmHash: hashToken(token), optOut };
  const result = await declineClaim(store, last, now());
  if (result.kind === 'refused') throw new AppError('invalid_confirm_token', { field: 'confirm_token' });
  notify();
  announce(claim.id);
}

/** Whether the claim is confirmed or declined. Throws where it cannot be: not proven, or expired. */
function isDone(claim: ClaimRow, nowMs: number): boolean {
  if (isToBeProven(claim, nowMs)) throw new AppError('claim_refused', { detail: 'This claim is not proven yet.' });
  return claim.status !== 'verified';
}

/** Refuses a wrong token before any provider is asked; the database decides whether it is used up, once. */
function checkToken(claim: ClaimRow, token: string): void {
  if (claim.confirmHash === hashToken(token)) return;
  throw new AppError('invalid_confirm_token', { field: 'confirm_token' });
}

/** A domain that has changed hands, or published its line for an hour only, no longer proves anything. */
async function checkStillProven(dependencies: ClaimsDependencies, claim: ClaimRow): Promise<void> {
  if (claim.method === 'domain') await checkDomain(dependencies, claim);
}

async function stableIdOf({ store }: ClaimsDependencies, { id, identityId }: ClaimRow): Promise<string> {
  const person = identityId === null ? null : await findPerson(store, identityId);
  if (person === null) throw new Error(`claim ${id} is verified, but its person is unknown`);
  return person.stableId;
}

type Person = { platform: ReturnType<typeof recipientOf>['platform']; stableId: string };

/** Who is let in to the kept money: the browser that proved the name, or the account that the bot saw. */
function holderOf({ provenKey, key }: ClaimRow, { platform, stableId }: Person, opener: Opener) {
  const walletId = walletIdOf(platform, stableId);
  const name = formatRecipient({ platform, key: provenKey ?? key });
  if (opener.kind === 'browser') return { holderId: opener.browserId, walletId, name };
  if (claimMethodOf(platform) !== 'chat') throw new Error(`expected the bot to claim in chats only, found ${platform}`);
  return { holderId: `${platform}:${stableId}`, walletId, name };
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
