import { createHash } from 'node:crypto';
import { shownPayout } from '../../chain/shown-address.ts';
import type { Language } from '../../core/languages.ts';
import { AppError } from '../../core/errors.ts';
import {
  findMailbox,
  giveMailBack,
  lastMailAt,
  takeMail,
  type MailCaller,
  type RefusedMail,
} from '../../db/claims/mail-limit.ts';
import type { EmailProof } from '../../identity/proofs/email.ts';
import { hashCode, MAIL_CODE_MS, newCode } from '../../identity/proofs/mail-code.ts';
import { stepLimit, type Wish } from './begin.ts';
import type { ClaimsDependencies } from './dependencies.ts';
import type { StoredProof } from './stored-proof.ts';

type Dependencies = Pick<ClaimsDependencies, 'store' | 'now' | 'random' | 'proofs' | 'baseUrl' | 'mailsDailyMax'>;

/** Stores the hash of a code; only then is the code itself sent. */
type Keep = (proof: Extract<StoredProof, { method: 'email' }>) => Promise<boolean>;

/** `refused`: a limit is reached, and nothing was stored or sent. `gone`: the code could not be stored. */
export type SentCode = { kind: 'sent' | 'gone' } | RefusedMail;

/**
 * Sends a code, within the limits of an address and a caller. It does not look whether money waits, so the answer is
 * the same for every address. The mail also has a link of its own, whose secret only this mailbox gets.
 */
export async function sendNewCode(
  dependencies: Dependencies,
  claim: Wish & { claimId: string; language: Language },
  caller: MailCaller | null,
  keep: Keep,
): Promise<SentCode> {
  const { store, now, random, baseUrl, mailsDailyMax: dailyMax } = dependencies;
  const email = emailOf(dependencies);
  const to = claim.recipient.key;
  const nowMs = now();
  const secret = Buffer.from(random(32)).toString('base64url');
  const linkHash = hashLink(secret);
  const taken = await takeMail(store, { address: to, linkHash, caller, dailyMax, nowMs });
  if (taken.kind === 'refused') return taken;
  const code = newCode(random);
  const hash = hashCode({ claimId: claim.claimId, code });
  if (!(await keep({ method: 'email', hash, codeExpiresAtMs: nowMs + MAIL_CODE_MS }))) {
    await giveMailBack(store, taken.mail);
    return { kind: 'gone' };
  }
  const linkUrl = new URL(mailPath(secret, 'open' in claim.payout), baseUrl).href;
  const { kind } = await email.sendCode({
    to,
    code,
    payout: shownPayout(claim.payout),
    linkUrl,
    language: claim.language,
    signal: stepLimit(),
  });
  if (kind === 'sent') return { kind };
  await giveMailBack(store, taken.mail);
  throw new AppError('upstream_unavailable', {
    detail: 'The mail could not be sent. Try again in a moment.',
    reason: 'mail_not_sent',
  });
}

/**
 * Where a mail's link leads: only a POST there does anything, because mail programs open links by themselves. The page of
 * a link that signs in offers nothing else, although the owner of the mailbox may do both.
 */
export function mailPath(secret: string, isSignIn = false): string {
  return `/claims/mail/${secret}${isSignIn ? '?for=purse' : ''}`;
}

/** The mailbox that a link was sent to; null where it is over, or another browser has collected with it. */
export async function mailboxOf(
  { store, now }: Pick<ClaimsDependencies, 'store' | 'now'>,
  secret: string,
  browserId: string | null,
): Promise<string | null> {
  if (!/^[\w-]{43}$/.test(secret)) return null;
  return findMailbox(store, { linkHash: hashLink(secret), browserId, nowMs: now() });
}

/** Only the hash is stored: no reader of a row or a backup can open the link. */
export function hashLink(secret: string): string {
  return createHash('sha256').update(`pennypost/mail-link/${secret}`).digest('hex');
}

/** Why no mail is sent now, when the person has no earlier one whose link still works. */
const NONE_SENT = {
  address: 'Too many codes were asked for.',
  caller: 'Too many codes were asked for from here.',
  day: 'The codes of today are used up for those who come without the link of a receipt of money that waits.',
  holders: 'The codes of today are used up.',
} as const satisfies Record<RefusedMail['limit'], string>;

/** Says that no other mail is sent now, and what to do with the one that was. */
export async function tooManyMails(
  { store, now }: Pick<ClaimsDependencies, 'store' | 'now'>,
  asker: { address: string; browserId: string | null },
  { againAtMs, limit }: RefusedMail,
): Promise<AppError> {
  const nowMs = now();
  const lastMs = await lastMailAt(store, asker, nowMs);
  const detail =
    lastMs === null
      ? NONE_SENT[limit]
      : `The last mail was sent at ${timeOf(lastMs)}: open the link in it. Look under spam as well.`;
  const again = `Another one can be asked for at ${timeOf(againAtMs)}.`;
  const retryAfterSeconds = Math.max(1, Math.ceil((againAtMs - nowMs) / 1_000));
  return new AppError('too_many_claims', {
    detail: `${detail} ${again}`,
    reason: 'mails_used_up',
    retryAfterSeconds,
  });
}

function timeOf(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(11, 16)} UTC`;
}

function emailOf({ proofs }: Pick<ClaimsDependencies, 'proofs'>): EmailProof {
  if (proofs.email === null) throw new AppError('platform_unavailable', { field: 'platform' });
  return proofs.email;
}
