import type { PurseChange } from '../../core/claims/mail.ts';
import { findPlatform, platformRow } from '../../core/platforms/platforms.ts';
import { givePurseMailBack, takePurseMail, type MailsDaily } from '../../db/costs/mails.ts';
import { findOwner } from '../../db/claims/person.ts';
import { ensureStopSecret, toHoldToken } from '../../db/notices/stop-token.ts';
import type { Store } from '../../db/store/store.ts';
import type { EmailProof } from '../../identity/proofs/email.ts';
import { NotYet } from '../outbox/not-yet.ts';

/** In place of a holder: the mailbox whose address the wallet is kept for. Holders go by 24 hex digits. */
export const MAILBOX = 'mail';

/** How mailboxes are told; null where no mail is sent. */
export type HolderMail = { proof: Pick<EmailProof, 'sendPurseNotice'>; dailyMax: MailsDaily; newSecret: () => string };

type Dependencies = { store: Store; baseUrl: string; now: () => number; mail: HolderMail | null };

/** A mail that has begun has its own time limit. */
const NEVER = new AbortController().signal;

/** The mailbox beside the chats that hold this wallet; nothing where its name is no address. */
export function mailboxOf({ mail }: Pick<Dependencies, 'mail'>, walletId: string): (typeof MAILBOX)[] {
  const platform = findPlatform(walletId.slice(0, walletId.indexOf(':')));
  return mail !== null && platform !== null && platformRow(platform).toldBy === 'mail' ? [MAILBOX] : [];
}

/**
 * Tells it, with a link that stops what waits. Rather twice than never: if this process ends before it has noted that the mail
 * was sent, another one follows. Without mails left for today it is tried again.
 */
export async function mailHolder(
  { store, baseUrl, now, mail }: Dependencies,
  walletId: string,
  change: PurseChange,
): Promise<void> {
  const owner = mail === null ? null : await findOwner(store, walletId);
  if (mail === null || owner === null) return;
  const nowMs = now();
  const { dailyMax } = mail;
  const isTaken = await store.tx((db) => takePurseMail(db, store, owner.id, dailyMax, nowMs));
  if (!isTaken) throw new NotYet(`no mail is left today for ${owner.id}`);
  const secret = await ensureStopSecret(store, mail.newSecret);
  const stopUrl =
    change.kind === 'closing'
      ? `${baseUrl}/purse`
      : `${baseUrl}/notices/hold/${toHoldToken(secret, owner.id, change.atMs)}`;
  const to = { to: owner.key, language: owner.language ?? 'en' };
  const { kind } = await mail.proof.sendPurseNotice({ ...to, change, stopUrl, signal: NEVER });
  if (kind !== 'unavailable') return;
  await store.tx((db) => givePurseMailBack(db, store, owner.id, dailyMax, nowMs));
  throw new NotYet(`the mail for ${owner.id} is not sent yet`);
}
