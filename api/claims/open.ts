import { CLAIM_MS } from '../../core/claims/claims.ts';
import { MAILS_PER_HOUR_MAX } from '../../core/claims/mail.ts';
import { parsePayout } from '../../core/bodies/claims.ts';
import { AppError } from '../../core/errors.ts';
import type { Language } from '../../core/languages.ts';
import { claimMethodOf, findPlatform, type Platform } from '../../core/platforms/platforms.ts';
import { parseRecipient } from '../../core/platforms/recipient.ts';
import type { ClaimRow } from '../../db/claims/find.ts';
import { lastMailAt, type MailCaller } from '../../db/claims/mail-limit.ts';
import { openClaim as insertClaim } from '../../db/claims/open.ts';
import { beginProof, type Wish } from './begin.ts';
import type { FromMailRequest, Opener, OpenRequest } from './claims.ts';
import type { ClaimsDependencies } from './dependencies.ts';
import { hashLink, mailboxOf, sendNewCode, tooManyMails } from './mail-code.ts';
import { checkPayout } from './payout.ts';
import { findLinked, findReader, toHeldLink, type HeldLink } from './receipt-link.ts';
import { recordProven } from './record.ts';
import { refusalOf } from './refuse.ts';
import type { StoredProof } from './stored-proof.ts';

/**
 * Opens a claim and answers its id. It reads neither money nor identities, so that neither the answer nor its timing
 * gives them away. A holder of the link of a receipt or of a notice counts against limits of that link, because those of a
 * network address can be used up by strangers behind it.
 */
export async function openClaim(
  dependencies: ClaimsDependencies,
  request: OpenRequest,
  opener: Opener,
): Promise<string> {
  const platform = offeredPlatform(dependencies, request.platform, opener);
  const recipient = parseRecipient(platform, request.handle, 'handle');
  const wanted = parsePayout(request.payout);
  const linked = await findLinked(dependencies, request.receiptSlug, recipient);
  const receiptSlug = linked?.line.slug ?? null;
  const { store, now } = dependencies;
  const held =
    (await toHeldLink(store, linked)) ?? (await findReader(store, request.readerToken ?? null, recipient, now()));
  const caller = mailCaller(dependencies, held, request.callerIp);
  limitOpener(dependencies, caller?.name ?? null);
  const wish = { recipient, payout: await checkPayout(dependencies, platform, wanted) };
  const claim = { ...wish, claimId: dependencies.ids.claimId(), receiptSlug, language: request.language ?? 'en' };
  const insert = (proof: StoredProof | null) => insertWith(dependencies, claim, proof, opener);
  const browserId = opener.kind === 'browser' ? opener.browserId : null;
  if (claimMethodOf(platform) === 'email') await openByMail(dependencies, { ...claim, browserId }, caller, insert);
  else await insert(await beginProof(dependencies, wish));
  return claim.claimId;
}

/** Only a reader of that mailbox has the secret in its link, so it proves the address, in any browser. */
export async function openFromMail(
  dependencies: ClaimsDependencies,
  { secret, payout: wanted, language }: FromMailRequest,
  opener: Extract<Opener, { kind: 'browser' }>,
): Promise<string> {
  limitOpener(dependencies, `mail ${hashLink(secret)}`);
  const mailbox = await mailboxOf(dependencies, secret, opener.browserId);
  if (mailbox === null) throw refusalOf('expired');
  const recipient = parseRecipient('email', mailbox, 'handle');
  const payout = await checkPayout(dependencies, recipient.platform, parsePayout(wanted));
  const claim = { recipient, payout, claimId: dependencies.ids.claimId(), receiptSlug: null, language };
  const row = await insertWith(dependencies, claim, null, opener);
  await recordProven(dependencies, row, { kind: 'proven', stableId: row.key, handle: row.key });
  return claim.claimId;
}

/** Where a limit allows no further mail, the opener has to use the last one that works for them, even if a stranger asked for it. */
async function openByMail(
  dependencies: ClaimsDependencies,
  claim: Wish & { claimId: string; language: Language; browserId: string | null },
  caller: MailCaller | null,
  insert: (proof: StoredProof | null) => Promise<unknown>,
): Promise<void> {
  const keep = async (proof: StoredProof) => {
    await insert(proof);
    return true;
  };
  const sent = await sendNewCode(dependencies, claim, caller, keep);
  if (sent.kind !== 'refused') return;
  const asker = { address: claim.recipient.key, browserId: claim.browserId };
  const last = await lastMailAt(dependencies.store, asker, dependencies.now());
  if (last === null) throw await tooManyMails(dependencies, asker, sent);
  await insert(null);
}

/** Null for our bot, which speaks for many. */
export function mailCaller(
  { mailsPerIpHourMax }: Pick<ClaimsDependencies, 'mailsPerIpHourMax'>,
  held: HeldLink | null,
  callerIp: string | null,
): MailCaller | null {
  if (held !== null) return { ...held, hourMax: MAILS_PER_HOUR_MAX };
  return callerIp === null ? null : { name: `ip ${callerIp}`, waitingMicroUsdc: null, hourMax: mailsPerIpHourMax };
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

function limitOpener({ openLimiter }: ClaimsDependencies, caller: string | null): void {
  if (caller === null || openLimiter.allows(caller)) return;
  throw new AppError('too_many_claims', { retryAfterSeconds: openLimiter.retryAfterSeconds(caller) });
}

type NewClaim = { claimId: string; receiptSlug: string | null; language: Language };

async function insertWith(
  { store, now }: ClaimsDependencies,
  { claimId, recipient, payout, receiptSlug, language }: Wish & NewClaim,
  proof: StoredProof | null,
  opener: Opener,
): Promise<ClaimRow> {
  const nowMs = now();
  return insertClaim(store, {
    id: claimId,
    ...recipient,
    payout,
    method: claimMethodOf(recipient.platform),
    status: 'open',
    language: opener.kind === 'browser' ? language : null,
    browserId: opener.kind === 'browser' ? opener.browserId : null,
    proof,
    tries: 0,
    receiptSlug,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + CLAIM_MS,
  });
}
