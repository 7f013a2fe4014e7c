import { CLAIM_MS } from '../../core/claims/claims.ts';
import { parsePayout } from '../../core/bodies/claims.ts';
import { AppError } from '../../core/errors.ts';
import { claimMethodOf, findPlatform, type Platform } from '../../core/platforms/platforms.ts';
import { parseRecipient } from '../../core/platforms/recipient.ts';
import { openClaim as insertClaim } from '../../db/claims/open.ts';
import { beginProof, type Wish } from './begin.ts';
import type { Opener, OpenRequest } from './claims.ts';
import type { ClaimsDependencies } from './dependencies.ts';
import { sendNewCode } from './mail-code.ts';
import { checkPayout } from './payout.ts';
import type { StoredProof } from './stored-proof.ts';

/** 128 bits in base64url. */
const SLUG = /^[A-Za-z0-9_-]{22}$/;

/**
 * Opens a claim and answers its id. It reads neither money nor identities, so that neither the answer nor its timing
 * gives them away.
 */
export async function openClaim(
  dependencies: ClaimsDependencies,
  request: OpenRequest,
  opener: Opener,
): Promise<string> {
  const platform = offeredPlatform(dependencies, request.platform, opener);
  const recipient = parseRecipient(platform, request.handle, 'handle');
  const wanted = parsePayout(request.payout);
  limitOpener(dependencies, request.callerIp);
  const wish = { recipient, payout: await checkPayout(dependencies, platform, wanted) };
  const claimId = dependencies.ids.claimId();
  const insert = (proof: StoredProof) => insertWith(dependencies, { ...wish, claimId }, proof, request, opener);
  if (claimMethodOf(platform) === 'email') {
    await sendNewCode(dependencies, { ...wish, claimId }, request.callerIp, insert);
  } else {
    await insert(await beginProof(dependencies, wish));
  }
  return claimId;
}

/** Only the bot sees who an account in a chat is; everything else is proven in a browser. */
function offeredPlatform({ platforms }: ClaimsDependencies, text: string, opener: Opener): Platform {
  const platform = findPlatform(text);
  if (platform === null || !platforms.includes(platform)) {
    throw new AppError('platform_unavailable', { field: 'platform' });
  }
  const isChat = claimMethodOf(platform) === 'chat';
  if (isChat === (opener.kind === 'bot')) return platform;
  const detail = isChat ? 'Collect this in the chat where you were told of it.' : 'Collect this in a browser.';
  throw new AppError('platform_unavailable', { field: 'platform', detail });
}

function limitOpener({ openLimiter }: ClaimsDependencies, callerIp: string | null): void {
  if (callerIp === null || openLimiter.allows(callerIp)) return;
  throw new AppError('too_many_claims', { retryAfterSeconds: openLimiter.retryAfterSeconds() });
}

async function insertWith(
  { store, now }: ClaimsDependencies,
  { claimId, recipient, payout }: Wish & { claimId: string },
  proof: StoredProof,
  { receiptSlug }: OpenRequest,
  opener: Opener,
): Promise<true> {
  const nowMs = now();
  await insertClaim(store, {
    id: claimId,
    ...recipient,
    payout,
    method: claimMethodOf(recipient.platform),
    status: 'open',
    browserId: opener.kind === 'browser' ? opener.browserId : null,
    proof,
    tries: 0,
    receiptSlug: receiptSlug !== null && SLUG.test(receiptSlug) ? receiptSlug : null,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + CLAIM_MS,
  });
  return true;
}
