import { createHash } from 'node:crypto';
import { and, desc, eq, gt, isNull, lte } from 'drizzle-orm';
import { MAIL_LINK_MS, MAIL_SPACE_MS, MAILS_FOR_HOLDERS, MAILS_PER_HOUR_MAX } from '../../core/claims/mail.ts';
import { takeWithin } from '../store/counters.ts';
import { counterLock, wantLock } from '../store/locks.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

const HOUR_MS = 3_600_000;

/** The caller whose limit a mail counts against. */
export type MailCaller = {
  /** An address of the network, or the receipt that the caller holds the link of. */
  name: string;
  /** Holders of a receipt's link have a share of each address's mails that strangers cannot use up. */
  isHolder: boolean;
  hourMax: number;
};

export type MailAsked = {
  address: string;
  linkHash: string;
  /** Null for no limit but that of the address. */
  caller: MailCaller | null;
  nowMs: number;
};

/** `againAtMs`: when such a mail may be asked for again. */
export type TakenMail = { kind: 'taken' } | { kind: 'refused'; againAtMs: number };

/**
 * Takes one mail from an address's limit and from its caller's; nothing is taken when either is reached. Call it before
 * every mail to any address: strangers must not fill a mailbox through us.
 */
export async function takeMail(store: Store, asked: MailAsked): Promise<TakenMail> {
  const { address, linkHash, caller, nowMs } = asked;
  const { codeMails } = store.tables;
  return store.tx(async (db) => {
    wantLock(db, counterLock(`code mails:${address}`));
    const againAtMs = await againAt(db, store.tables, asked);
    if (againAtMs > nowMs) return { kind: 'refused', againAtMs };
    if (caller !== null && !(await takeWithin(db, store, counterOf(caller, nowMs), 1n, BigInt(caller.hourMax)))) {
      return { kind: 'refused', againAtMs: nextHour(nowMs) };
    }
    await db.insert(codeMails).values({ linkHash, address, sentAtMs: nowMs });
    return { kind: 'taken' };
  });
}

/** The last mails of an address are its limit: they are kept for an hour, because their links work that long. */
async function againAt(db: Db, tables: Tables, { address, caller, nowMs }: MailAsked): Promise<number> {
  const sent = await mailsOf(db, tables, { address, nowMs }, MAILS_PER_HOUR_MAX);
  const max = caller === null || caller.isHolder ? MAILS_PER_HOUR_MAX : MAILS_PER_HOUR_MAX - MAILS_FOR_HOLDERS;
  const [last] = sent;
  const oldest = sent[max - 1];
  return Math.max((last?.sentAtMs ?? -Infinity) + MAIL_SPACE_MS, (oldest?.sentAtMs ?? -Infinity) + HOUR_MS);
}

function mailsOf(db: Db, { codeMails }: Tables, { address, nowMs }: { address: string; nowMs: number }, max: number) {
  return db
    .select({ sentAtMs: codeMails.sentAtMs })
    .from(codeMails)
    .where(and(eq(codeMails.address, address), gt(codeMails.sentAtMs, nowMs - HOUR_MS)))
    .orderBy(desc(codeMails.sentAtMs))
    .limit(max);
}

/** Our server did not take it: it counts against no address, and nothing waits for it in a mailbox. */
export async function giveMailBack(store: Store, linkHash: string): Promise<void> {
  const { codeMails } = store.tables;
  await store.tx((db) => db.delete(codeMails).where(eq(codeMails.linkHash, linkHash)));
}

/** When the last mail whose link still works was sent to this address, no matter who asked. */
export async function lastMailAt({ read, tables }: Store, address: string, nowMs: number): Promise<number | null> {
  const [last] = await mailsOf(read, tables, { address, nowMs }, 1);
  return last?.sentAtMs ?? null;
}

/** The mailbox that a link was sent to; null once it is over, or collected with in another browser. */
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
 * What was collected with binds the links of its address to the browser that did: a link that is left behind in another
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
