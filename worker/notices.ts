import { shownPayout } from '../chain/shown-address.ts';
import { microUsdc } from '../core/money.ts';
import { claimUrl } from '../core/payments/answers.ts';
import type { PayoutTarget } from '../core/claims/claims.ts';
import { mailsOf, type MailShare } from '../core/costs/mails.ts';
import { networkNamed } from '../core/networks.ts';
import { readMails } from '../db/costs/mails.ts';
import { dayOf } from '../db/limits/daily.ts';
import { destinationsOf, dueChanges, type Destination, type DueChange } from '../db/notices/changes.ts';
import { startWalk, type Walk } from '../db/payments/records/waiting-people.ts';
import {
  dueReminders,
  dueWaits,
  isReminded,
  lookForMailed,
  senderOfWaiting,
  sumWaiting,
  type DueNotice,
} from '../db/notices/due.ts';
import { ensureStopSecret, toReaderToken, toStopToken } from '../db/notices/stop-token.ts';
import { putOffNotice, takeChange, takeNotice, type TakenNotice } from '../db/notices/take.ts';
import type { EmailProof, NoticeOutcome } from '../identity/proofs/email.ts';
import type { WorkerContext } from './dependencies.ts';

/** Per round, of all kinds together: with a round every ten seconds a mailbox provider sees at most 60 a minute. */
export const MAILS_MAX = 10;

/** A mail that has begun has its own time limit. If it were aborted, we could not tell whether it was sent. */
const NEVER = new AbortController().signal;

/** The part of `EmailProof` that writes to people who did not ask for it. */
export type NoticeMail = Pick<
  EmailProof,
  'isReachable' | 'sendNeutralNotice' | 'sendAddressNotice' | 'sendPurseNotice'
>;

export type NoticesWorker = Pick<WorkerContext, 'store' | 'ids' | 'now' | 'log'> & {
  settings: Pick<WorkerContext['settings'], 'baseUrl' | 'mailsDailyMax'>;
  mail: NoticeMail;
};

/** One mail. Its row is taken before it is sent; null when there is nothing left to say. */
type Letter = { take: () => Promise<TakenNotice | null>; send: (signal: AbortSignal) => Promise<NoticeOutcome | null> };

/**
 * Tells e-mail recipients that money waits for them, reminds them once, and warns them before another address replaces
 * theirs. A mail's row is taken before it is sent, so a round may stop anywhere and run in several workers: at worst a
 * mail is not sent. A mailbox that refuses does not stop the others; any other failure ends the round, because our own
 * mail server may be down. `closing` ends it between two mails; `walk` leads through all that waits, from round to round.
 * Answers how many were sent.
 */
export async function noticesRound(
  worker: NoticesWorker,
  closing = new AbortController().signal,
  walk: Walk = startWalk(),
): Promise<number> {
  const letters = await findLetters(worker, walk);
  if (letters.length === 0 || !(await worker.mail.isReachable())) return 0;
  let sent = 0;
  for (const letter of letters) {
    if (closing.aborted) break;
    const taken = await letter.take();
    if (taken === null) continue;
    const outcome = (await letter.send(NEVER))?.kind ?? null;
    if (outcome === 'sent') sent += 1;
    if (outcome === 'unavailable') await putOffNotice(worker.store, taken);
    if (outcome === 'sent' || outcome === null) continue;
    worker.log.warn({ identityId: taken.identityId, kind: taken.kind, outcome }, 'a notice was not sent');
    if (outcome !== 'refused') break;
  }
  return sent;
}

/** From half of a share of the day's mails on there is one line in the log a day, for all askers together. */
export function watchMails({
  store,
  now,
  log,
  settings: { mailsDailyMax: dailyMax },
}: Omit<NoticesWorker, 'ids' | 'mail'>): () => Promise<void> {
  const told = new Map<MailShare, string>();
  return async () => {
    if (dailyMax === null) return;
    const nowMs = now();
    const day = dayOf(nowMs);
    for (const { share, used } of await readMails(store, nowMs)) {
      const max = mailsOf(share, dailyMax);
      if (used * 2 < max || told.get(share) === day) continue;
      told.set(share, day);
      log.warn({ share, used, max }, 'half of what this share of the mails has today is used up');
    }
  };
}

/** Warnings about a change to a recipient's money come before what can wait. */
async function findLetters(worker: NoticesWorker, walk: Walk): Promise<Letter[]> {
  const { store, now } = worker;
  const changes = await dueChanges(store, now(), MAILS_MAX);
  const { people, next } = await lookForMailed(store, walk);
  const waiting = await dueWaits(store, people, now(), MAILS_MAX);
  const reminders = await dueReminders(store, people, now(), MAILS_MAX);
  const letters = [
    ...changes.map((change) => toAddressLetter(worker, change)),
    ...[...waiting, ...reminders].map((notice) => toNeutralLetter(worker, notice)),
  ];
  // These people have more to come.
  if (letters.length < MAILS_MAX) walk.after = next;
  return letters.slice(0, MAILS_MAX);
}

function toNeutralLetter({ store, ids, now, settings, mail }: NoticesWorker, due: DueNotice): Letter {
  const { identityId, kind, platform, to, language, soonestMs: untilMs } = due;
  const { baseUrl, mailsDailyMax: dailyMax } = settings;
  return {
    take: () => takeNotice(store, due, { dailyMax, nowMs: now() }),
    send: async (signal) => {
      const secret = await ensureStopSecret(store, ids.slug);
      const unsubscribeUrl = `${baseUrl}/notices/stop/${toStopToken(secret, identityId)}`;
      // Without the receipt's address: mails get forwarded, and the sender's note is for this recipient alone.
      const claim = `${claimUrl(baseUrl, platform, to)}?reader=${toReaderToken(secret, identityId)}`;
      const links = { claimUrl: claim, unsubscribeUrl };
      const sum = microUsdc(await sumWaiting(store, identityId, now()));
      const from = shownSender(await senderOfWaiting(store, identityId, now()));
      const content = { to, kind, sum, from, language, untilMs, isReminded: isReminded(due, now()), ...links };
      return mail.sendNeutralNotice({ ...content, signal });
    },
  };
}

/** People choose their names: in a mail of ours one must not read as a sentence or an address of theirs. */
function shownSender(name: string | null): string | null {
  return name !== null && /^[\p{L}\p{M}\p{N}_.\- ]{1,60}$/u.test(name) && !/\.\p{L}{2}/u.test(name) ? name : null;
}

function toAddressLetter({ store, now, settings, mail }: NoticesWorker, due: DueChange): Letter {
  const { platform, to, identityId, language } = due;
  return {
    take: () => takeChange(store, due, { dailyMax: settings.mailsDailyMax, nowMs: now() }),
    send: async (signal) => {
      const places = await destinationsOf(store, identityId);
      // All changes were stopped a moment ago.
      if (places.next.length === 0) return null;
      const changing = places.now.filter(({ network }) => places.next.some((other) => other.network === network));
      // On a network without an address of its own money goes to the one elsewhere.
      const isSecond = changing.length < places.next.length;
      return mail.sendAddressNotice({
        to,
        now: toTarget(isSecond ? places.now : changing),
        next: toTarget(places.next),
        // The earliest of several changes: until then all of them can be stopped.
        fromMs: Math.min(...places.next.map(({ effectiveAtMs }) => effectiveAtMs)),
        language,
        claimUrl: claimUrl(settings.baseUrl, platform, to),
        signal,
      });
    },
  };
}

function toTarget(places: readonly Destination[]): PayoutTarget {
  if (places.every(({ source }) => source === 'keep')) return { keep: true };
  return shownPayout(Object.fromEntries(places.map(({ network, address }) => [networkNamed(network), address])));
}
