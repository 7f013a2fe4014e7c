import { createHash } from 'node:crypto';
import { and, desc, eq, gt, isNull, lte } from 'drizzle-orm';
import { MAIL_LINK_MS, MAIL_SPACE_MS, MAILS_FOR_HOLDERS, MAILS_PER_HOUR_MAX } from '../../core/claims/mail.ts';
import { HOLDERS_MAILS_MAX, type MailShare } from '../../core/costs/mails.ts';
import { giveDailyMailBack, takeDailyMail, type MailsDaily } from '../costs/mails.ts';
import { nextDayMs } from '../limits/daily.ts';
import { addWithin, takeWithin } from '../store/counters.ts';
import { counterLock, wantLock } from '../store/locks.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

const HOUR_MS = 3_600_000;

/** The caller whose limit a mail counts against. */
export type MailCaller = {
  /** An address of the network, or the receipt that the caller holds the link of. */
  name: string;
  /**
   * What waits behind the link of a receipt for its holder, or is kept here for them; null for a stranger. Holders have a share of each address's mails
   * that strangers cannot use up, and of the day's, as long as something waits.
   */
  waitingMicroUsdc: bigint | null;
  hourMax: number;
};

export type MailAsked = {
  address: string;
  linkHash: string;
  /** Null: only the limit of the address applies. */
  caller: MailCaller | null;
  dailyMax: MailsDaily;
  nowMs: number;
};

/** A mail that was taken, so that it can be given back. */
export type CodeMail = { linkHash: string; share: MailShare; takenAtMs: number };

/** `againAtMs`: when such a mail may be requested again. `limit`: which one is used up. */
export type RefusedMail = { kind: 'refused'; againAtMs: number; limit: 'address' | 'caller' | 'day' | 'holders' };
export type TakenMail = { kind: 'taken'; mail: CodeMail } | RefusedMail;

/**
 * Takes one mail from the limits of an address, of its caller and of the day; nothing is taken when one is reached. Call it
 * before every mail to any address: strangers must not fill a mailbox through us.
 */
export async function takeMail(store: Store, asked: MailAsked): Promise<TakenMail> {
  const { address, linkHash, caller, dailyMax, nowMs } = asked;
  const { codeMails } = store.tables;
  return store.tx(async (db) => {
    wantLock(db, counterLock(`code mails:${address}`));
    const againAtMs = await againAt(db, store.tables, asked);
    if (againAtMs > nowMs) return { kind: 'refused', againAtMs, limit: 'address' };
    if (caller !== null && !(await takeWithin(db, store, counterOf(caller, nowMs), 1n, BigInt(caller.hourMax)))) {
      return { kind: 'refused', againAtMs: nextHour(nowMs), limit: 'caller' };
    }
    const share = await takeOfDay(db, store, { caller, dailyMax, nowMs });
    if (share === null) {
      if (caller !== null) await addWithin(db, store, counterOf(caller, nowMs), -1n);
      const limit = hasReserve(caller) ? 'holders' : 'day';
      return { kind: 'refused', againAtMs: nextDayMs(nowMs), limit };
    }
    await db.insert(codeMails).values({ linkHash, address, sentAtMs: nowMs });
    return { kind: 'taken', mail: { linkHash, share, takenAtMs: nowMs } };
  });
}

type Holder = MailCaller & { waitingMicroUsdc: bigint };
const hasReserve = (caller: MailCaller | null): caller is Holder => (caller?.waitingMicroUsdc ?? 0n) > 0n;

/** A holder goes on where strangers have used up theirs; null where nothing is left. */
async function takeOfDay(
  db: Db,
  store: Store,
  { caller, dailyMax, nowMs }: Pick<MailAsked, 'caller' | 'dailyMax' | 'nowMs'>,
): Promise<MailShare | null> {
  if (await takeDailyMail(db, store, { share: 'asked' }, dailyMax, nowMs)) return 'asked';
  if (!hasReserve(caller)) return null;
  const own = holderCounterOf(caller, nowMs);
  if (!(await takeWithin(db, store, own, 1n, BigInt(HOLDERS_MAILS_MAX)))) return null;
  const wanted = { share: 'holder', sumMicroUsdc: caller.waitingMicroUsdc } as const;
  if (await takeDailyMail(db, store, wanted, dailyMax, nowMs)) return 'holder';
  await addWithin(db, store, own, -1n);
  return null;
}

/**
 * The last mails of an address are its limit: they are kept for an hour, because their links work that long. One that its
 * reader has collected with keeps no other back but within the hour's number: it opens nothing in the next browser, and only
 * the reader can have used it.
 */
async function againAt(db: Db, tables: Tables, { address, caller, nowMs }: MailAsked): Promise<number> {
  const sent = await mailsOf(db, tables, { address, nowMs }, MAILS_PER_HOUR_MAX);
  const max =
    caller === null || caller.waitingMicroUsdc !== null ? MAILS_PER_HOUR_MAX : MAILS_PER_HOUR_MAX - MAILS_FOR_HOLDERS;
  const last = sent.find(({ browserId }) => browserId === null);
  const oldest = sent[max - 1];
  return Math.max((last?.sentAtMs ?? -Infinity) + MAIL_SPACE_MS, (oldest?.sentAtMs ?? -Infinity) + HOUR_MS);
}

function mailsOf(db: Db, { codeMails }: Tables, { address, nowMs }: { address: string; nowMs: number }, max: number) {
  return db
    .select({ sentAtMs: codeMails.sentAtMs, browserId: codeMails.browserId })
    .from(codeMails)
    .where(and(eq(codeMails.address, address), gt(codeMails.sentAtMs, nowMs - HOUR_MS)))
    .orderBy(desc(codeMails.sentAtMs))
    .limit(max);
}

/** Our server did not accept it: it counts against no address and no day, and nothing waits for it in a mailbox. */
export async function giveMailBack(store: Store, { linkHash, share, takenAtMs }: CodeMail): Promise<void> {
  const { codeMails } = store.tables;
  await store.tx(async (db) => {
    await db.delete(codeMails).where(eq(codeMails.linkHash, linkHash));
    await giveDailyMailBack(db, store, share, takenAtMs);
  });
}

/** When the last mail was sent to this address whose link still works in this browser, no matter who asked. */
export async function lastMailAt(
  { read, tables }: Store,
  { address, browserId }: { address: string; browserId: string | null },
  nowMs: number,
): Promise<number | null> {
  const sent = await mailsOf(read, tables, { address, nowMs }, MAILS_PER_HOUR_MAX);
  return sent.find((mail) => mail.browserId === null || mail.browserId === browserId)?.sentAtMs ?? null;
}

/** The mailbox that a link was sent to; null when it is over, or was collected with in another browser. */
export async function findMailbox(
  { read, tables: { codeMails } }: Store,
  { linkHash, browserId, nowMs }: { linkHash: string; browserId: string | null; nowMs: number },
): Promise<string | null> {
  const isLive = and(eq(codeMails.linkHash, linkHash), gt(codeMails.sentAtMs, nowMs - MAIL_LINK_MS));
  const [mail] = await read.select().from(codeMails).where(isLive);
  if (mail === undefined) return null;
  return mail.browserId === null || mail.browserId === browserId ? mail.address : null;
}

/**
 * Once a browser has collected, the links of the address work in that browser only: a link that is left behind in another
 * one, or in a forwarded mail, opens nothing any more.
 */
export async function bindMails(
  db: Db,
  { codeMails }: Tables,
  { address, browserId }: { address: string; browserId: string },
): Promise<void> {
  await db
    .update(codeMails)
    .set({ browserId })
    .where(and(eq(codeMails.address, address), isNull(codeMails.browserId)));
}

/** Mails whose links are over. One that is being sent is younger. */
export function isOverAt({ codeMails }: Tables, nowMs: number) {
  return lte(codeMails.sentAtMs, nowMs - Math.max(HOUR_MS, MAIL_LINK_MS));
}

const CALLERS = 'claim_mail:caller:';

/** Each hour has counters of its own. */
function counterOf({ name }: MailCaller, nowMs: number): string {
  return `${CALLERS}${Math.floor(nowMs / HOUR_MS)}:${opaque(name)}`;
}

/** Lasts for the day, under the name of its last hour. */
function holderCounterOf({ name }: MailCaller, nowMs: number): string {
  return `${CALLERS}${Math.floor(nextDayMs(nowMs) / HOUR_MS) - 1}:day:${opaque(name)}`;
}

/** Expired counters: those whose names sort before `before` as text. */
export function mailCountersBefore(nowMs: number): { prefix: string; before: string } {
  // One hour more, for transactions begun in it. The numbers keep the same length until 2084.
  return { prefix: CALLERS, before: `${CALLERS}${Math.floor(nowMs / HOUR_MS) - 1}` };
}

/** Counters survive the erasure of a person's data, so they must not name the person. */
function opaque(name: string): string {
  return createHash('sha256').update(`pennypost/claim-mail/${name}`).digest('hex').slice(0, 24);
}

function nextHour(nowMs: number): number {
  return nowMs - (nowMs % HOUR_MS) + HOUR_MS;
}
