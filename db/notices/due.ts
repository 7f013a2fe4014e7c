import { and, asc, eq, gt, inArray, isNull, lte, max, min, or, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { MAILED_PLATFORMS } from '../../core/claims/claims.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

/** How long before the money goes back its recipient is reminded, once. */
export const REMIND_BEFORE_MS = 7 * 24 * 3_600_000;
/** A recipient notified more recently than this needs no reminder. */
const TOLD_LATELY_MS = REMIND_BEFORE_MS;
/** More lines than that add nothing that matters. */
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
};

/** Recipients with waiting money and no current notice. */
export async function dueWaits(store: Store, nowMs: number, limit: number): Promise<DueNotice[]> {
  const { tables } = store;
  const { notices } = tables;
  const mine = and(eq(notices.identityId, tables.identities.id), eq(notices.kind, 'waits'));
  const rows = await selectWaiting(store.read, tables)
    .leftJoin(notices, mine)
    .where(and(waits(tables, nowMs), or(isNull(notices.identityId), isOpen(notices, nowMs))))
    .groupBy(tables.identities.id, tables.identities.platform, tables.identities.key)
    .orderBy(asc(min(tables.lines.expiresAtMs)))
    .limit(limit);
  return rows.flatMap((row) => toNotice('waits', row));
}

/** What an identity could collect now, if it is still told of such money. */
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

/** Recipients notified a while ago whose money goes back soon. */
export async function dueReminders(store: Store, nowMs: number, limit: number): Promise<DueNotice[]> {
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
    .where(and(waits(tables, nowMs), or(isNull(notices.identityId), isOpen(notices, nowMs))))
    .groupBy(identities.id, identities.platform, identities.key)
    .having(lte(min(lines.expiresAtMs), nowMs + REMIND_BEFORE_MS))
    .orderBy(asc(min(lines.expiresAtMs)))
    .limit(limit);
  return rows.flatMap((row) => toNotice('reminder', row));
}

/** A notice that has ended, and was not tried a moment ago. */
function isOpen(notices: Tables['notices'], nowMs: number): SQL | undefined {
  return and(lte(notices.untilMs, nowMs), lte(notices.sentAtMs, nowMs - RETRY_MS));
}

function selectWaiting(db: Db, { identities, lines, payments }: Tables) {
  return db
    .select({
      identityId: identities.id,
      platform: identities.platform,
      to: identities.key,
      soonestMs: min(lines.expiresAtMs),
      untilMs: max(lines.expiresAtMs),
    })
    .from(identities)
    .innerJoin(lines, eq(lines.identityId, identities.id))
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .$dynamic();
}

/** A line an e-mail recipient could collect now, unless they opted out of payments or mails. */
export function waits({ identities, lines, payments }: Tables, nowMs: number): SQL | undefined {
  return and(
    inArray(identities.platform, [...MAILED_PLATFORMS]),
    isNull(identities.optedOutAtMs),
    isNull(identities.noticesOffAtMs),
    eq(lines.status, 'escrowed'),
    gt(lines.expiresAtMs, nowMs),
    inArray(payments.status, ['settled', 'final']),
  );
}

type WaitingRow = {
  identityId: string;
  platform: string;
  to: string;
  soonestMs: number | null;
  untilMs: number | null;
};

/** A group has at least one line, which the database's types do not know. */
function toNotice(kind: DueNotice['kind'], { soonestMs, untilMs, ...row }: WaitingRow): DueNotice[] {
  return soonestMs === null || untilMs === null ? [] : [{ kind, ...row, soonestMs, untilMs }];
}
