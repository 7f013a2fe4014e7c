import { and, asc, eq, gt, inArray, isNull, lte, max, min, or, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { MAILED_PLATFORMS } from '../../core/claims/claims.ts';
import { NOTICE_MIN_MICRO_USDC, NOTICE_SPACE_MS } from '../../core/claims/mail.ts';
import type { Language } from '../../core/languages.ts';
import { isOneOf } from '../dialects/unindexed.ts';
import { lookAtWaiting, type Look, type Walk } from '../payments/records/waiting-people.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

/** How long before the money goes back its recipient is reminded, once. */
export const REMIND_BEFORE_MS = 7 * 24 * 3_600_000;
/** A recipient notified more recently than this needs no reminder. */
const TOLD_LATELY_MS = REMIND_BEFORE_MS;
/** More lines than this add nothing that matters. */
const SUMMED_MAX = 100;
/** A mail that could not be handed over is tried again after this time. */
export const RETRY_MS = 15 * 60_000;

/** An e-mail recipient to be notified of waiting money. */
export type DueNotice = {
  identityId: string;
  kind: 'waits' | 'reminder';
  platform: string;
  /** The recipient's key: the e-mail address itself. */
  to: string;
  /** When the first of what waits goes back. */
  soonestMs: number;
  /** When the last of it goes back: until then one notice covers all that comes. */
  untilMs: number;
  /** Of the person, as far as we know it. */
  language: Language;
};

/** Whether who is notified now will be reminded before the first of it goes back. */
export const isReminded = ({ kind, soonestMs }: DueNotice, nowMs: number): boolean =>
  kind === 'waits' && soonestMs - nowMs > TOLD_LATELY_MS;

/** Recipients whose platform has mail and for whom something waits, as far as one look goes. */
export const lookForMailed = (store: Store, walk: Walk): Promise<Look> =>
  lookAtWaiting(store, walk, ({ platform }) => inArray(platform, [...MAILED_PLATFORMS]));

/** Those of these people who have waiting money and no current notice. */
export async function dueWaits(
  store: Store,
  people: readonly string[],
  nowMs: number,
  limit: number,
): Promise<DueNotice[]> {
  if (people.length === 0) return [];
  const { tables } = store;
  const { notices } = tables;
  const mine = and(eq(notices.identityId, tables.identities.id), eq(notices.kind, 'waits'));
  const rows = await selectWaiting(store.read, tables)
    .leftJoin(notices, mine)
    .where(and(isOf(tables, people), waits(tables, nowMs), or(isNull(notices.identityId), isOpen(notices, nowMs))))
    .groupBy(...named(tables))
    .having(isWorthIt(tables))
    .orderBy(asc(min(tables.lines.expiresAtMs)))
    .limit(limit);
  return rows.flatMap((row) => toNotice('waits', row));
}

/** What an identity could collect now, if it still gets notices of such money. */
export async function sumWaiting({ read, tables }: Store, identityId: string, nowMs: number): Promise<bigint> {
  const { identities, lines, payments } = tables;
  const rows = await read
    .select({ amountMicroUsdc: lines.amountMicroUsdc })
    .from(identities)
    .innerJoin(lines, eq(lines.identityId, identities.id))
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(and(eq(identities.id, identityId), waits(tables, nowMs)))
    .limit(SUMMED_MAX);
  return rows.reduce((sum, { amountMicroUsdc }) => sum + amountMicroUsdc, 0n);
}

/** Those of these people who were notified a while ago and whose money goes back soon. */
export async function dueReminders(
  store: Store,
  people: readonly string[],
  nowMs: number,
  limit: number,
): Promise<DueNotice[]> {
  if (people.length === 0) return [];
  const { tables } = store;
  const { identities, lines, notices } = tables;
  const told = alias(notices, 'told');
  const rows = await selectWaiting(store.read, tables)
    .innerJoin(
      told,
      and(
        eq(told.identityId, identities.id),
        eq(told.kind, 'waits'),
        gt(told.untilMs, nowMs),
        lte(told.sentAtMs, nowMs - TOLD_LATELY_MS),
      ),
    )
    .leftJoin(notices, and(eq(notices.identityId, identities.id), eq(notices.kind, 'reminder')))
    .where(and(isOf(tables, people), waits(tables, nowMs), or(isNull(notices.identityId), isOpen(notices, nowMs))))
    .groupBy(...named(tables))
    .having(and(lte(min(lines.expiresAtMs), nowMs + REMIND_BEFORE_MS), isWorthIt(tables)))
    .orderBy(asc(min(lines.expiresAtMs)))
    .limit(limit);
  return rows.flatMap((row) => toNotice('reminder', row));
}

/** A notice that has ended, and none was sent within a day; one that could not be sent is tried again after a while. */
function isOpen(notices: Tables['notices'], nowMs: number): SQL | undefined {
  const isRetry = and(eq(notices.untilMs, 0), lte(notices.sentAtMs, nowMs - RETRY_MS));
  return or(isRetry, and(lte(notices.untilMs, nowMs), lte(notices.sentAtMs, nowMs - NOTICE_SPACE_MS)));
}

const named = ({ identities }: Tables) =>
  [identities.id, identities.platform, identities.key, identities.language] as const;

/** Small sums bring no mail: it would be worth more to who wants to annoy than to who gets it. */
function isWorthIt({ lines }: Tables): SQL {
  return sql`sum(${lines.amountMicroUsdc}) >= ${Number(NOTICE_MIN_MICRO_USDC)}`;
}

function selectWaiting(db: Db, { identities, lines, payments }: Tables) {
  return (
    db
      .select({
        identityId: identities.id,
        platform: identities.platform,
        to: identities.key,
        language: identities.language,
        soonestMs: min(lines.expiresAtMs),
        untilMs: max(lines.expiresAtMs),
      })
      .from(identities)
      // For SQLite: from the people to their lines, and never from all that wait.
      .crossJoin(lines)
      .innerJoin(payments, eq(payments.id, lines.paymentId))
      .$dynamic()
  );
}

const isOf = ({ identities, lines }: Tables, people: readonly string[]): SQL | undefined =>
  and(inArray(identities.id, [...people]), eq(lines.identityId, identities.id));

/** A line an e-mail recipient could collect now, unless they opted out of payments or mails. */
export function waits({ identities, lines, payments }: Tables, nowMs: number): SQL | undefined {
  return and(
    isOneOf(identities.platform, MAILED_PLATFORMS),
    isNull(identities.optedOutAtMs),
    isNull(identities.noticesOffAtMs),
    eq(lines.status, 'escrowed'),
    gt(lines.expiresAtMs, nowMs),
    isOneOf(payments.status, ['settled', 'final']),
  );
}

type WaitingRow = {
  identityId: string;
  platform: string;
  to: string;
  language: Language | null;
  soonestMs: number | null;
  untilMs: number | null;
};

/** A group has at least one line, which the database's types do not know. */
function toNotice(kind: DueNotice['kind'], { soonestMs, untilMs, language, ...row }: WaitingRow): DueNotice[] {
  if (soonestMs === null || untilMs === null) return [];
  return [{ kind, ...row, language: language ?? 'en', soonestMs, untilMs }];
}

/** Who sent all that waits, where that is one account that our bot saw. Any other caller could have written any name. */
export async function senderOfWaiting(
  { read, tables }: Store,
  identityId: string,
  nowMs: number,
): Promise<string | null> {
  const { identities, lines, payments } = tables;
  const rows = await read
    .select({ meta: payments.meta, isKnown: payments.agentKnown })
    .from(identities)
    .innerJoin(lines, eq(lines.identityId, identities.id))
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(and(eq(identities.id, identityId), waits(tables, nowMs)))
    .limit(SUMMED_MAX);
  const names = new Set(rows.map(({ meta, isKnown }) => (isKnown ? meta?.['agent_name'] : null)));
  const [name] = names;
  return names.size === 1 && typeof name === 'string' ? name : null;
}
