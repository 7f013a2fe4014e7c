import { MAIL_SHARES, mailsOf, PURSE_MAILS_MAX, type MailShare } from '../../core/costs/mails.ts';
import { dayOf } from '../limits/daily.ts';
import { addWithin, readCounter, takeWithin } from '../store/counters.ts';
import type { Db, Store } from '../store/store.ts';
import { costCounters } from './counters.ts';

/** How many mails a day may have in all; null: without a limit. They are counted either way. */
export type MailsDaily = number | null;

/** `sumMicroUsdc`: what waits for a holder. */
export type WantedMail = { share: MailShare; sumMicroUsdc?: bigint };

/** Takes one of the day's mails; false, and nothing is taken, where its share is used up. */
export async function takeDailyMail(
  db: Db,
  store: Pick<Store, 'tables'>,
  { share, sumMicroUsdc }: WantedMail,
  dailyMax: MailsDaily,
  nowMs: number,
): Promise<boolean> {
  const counter = costCounters.mails(share, dayOf(nowMs));
  if (dailyMax !== null) return takeWithin(db, store, counter, 1n, BigInt(mailsOf(share, dailyMax, sumMicroUsdc)));
  await addWithin(db, store, counter, 1n);
  return true;
}

/** It was not sent. `takenAtMs`: a day's mail is not given back to the next day. */
export async function giveDailyMailBack(
  db: Db,
  store: Pick<Store, 'tables'>,
  share: MailShare,
  takenAtMs: number,
): Promise<void> {
  await addWithin(db, store, costCounters.mails(share, dayOf(takenAtMs)), -1n);
}

/** The same for a warning about kept money: one purse, whatever is done with it, must not keep all others from theirs. */
export async function takePurseMail(
  db: Db,
  store: Pick<Store, 'tables'>,
  identityId: string,
  dailyMax: MailsDaily,
  nowMs: number,
): Promise<boolean> {
  const own = costCounters.purseMails(identityId, dayOf(nowMs));
  if (dailyMax !== null && !(await takeWithin(db, store, own, 1n, BigInt(PURSE_MAILS_MAX)))) return false;
  if (await takeDailyMail(db, store, { share: 'change' }, dailyMax, nowMs)) return true;
  await addWithin(db, store, own, -1n);
  return false;
}

export async function givePurseMailBack(
  db: Db,
  store: Pick<Store, 'tables'>,
  identityId: string,
  dailyMax: MailsDaily,
  takenAtMs: number,
): Promise<void> {
  if (dailyMax !== null) await addWithin(db, store, costCounters.purseMails(identityId, dayOf(takenAtMs)), -1n);
  await giveDailyMailBack(db, store, 'change', takenAtMs);
}

export type MailsSpent = { share: MailShare; used: number };

export async function readMails(store: Store, nowMs: number): Promise<MailsSpent[]> {
  const day = dayOf(nowMs);
  return Promise.all(
    MAIL_SHARES.map(async (share) => ({
      share,
      used: Number(await readCounter(store, costCounters.mails(share, day))),
    })),
  );
}
