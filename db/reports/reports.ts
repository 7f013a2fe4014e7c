import { and, asc, count, eq, gt, gte, inArray, isNull, lte } from 'drizzle-orm';
import {
  hasRoomFor,
  REPORTS_PER_HOUR_MAX,
  REPORTS_PER_SUBJECT_MAX,
  type ReportedKind,
  type ReportReason,
  type ReportShare,
} from '../../core/reports/reports.ts';
import { nextDayMs } from '../limits/daily.ts';
import { recordAction, type Command } from '../operator/actions.ts';
import type { Tables } from '../schema/tables.ts';
import { counterLock, wantLock } from '../store/locks.ts';
import { enqueue } from '../store/outbox.ts';
import type { Db, Store } from '../store/store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How long a closed report is kept. */
export const REPORT_KEPT_MS = 90 * DAY_MS;
/** The rest is left to the next run. */
const FORGOTTEN_MAX = 500;

export type ReportRow = Tables['reports']['$inferSelect'];

export type NewReport = {
  id: string;
  kind: ReportedKind;
  subject: string;
  reason: ReportReason;
  words: string | null;
  reporter: string;
  share: ReportShare;
};

/** `known`: this caller, or enough others, reported the same. `againAtMs`: when there is room again. */
export type Reported = { kind: 'stored' | 'known' } | { kind: 'refused'; limit: 'caller' | 'day'; againAtMs: number };

/** Stores a report within the limits of its subject, its caller and the day. It touches nothing else. */
export async function storeReport(store: Store, report: NewReport, nowMs: number): Promise<Reported> {
  const { reports } = store.tables;
  return store.tx(async (db) => {
    wantLock(db, counterLock('reports'));
    if (await isKnown(db, store.tables, report)) return { kind: 'known' };
    const recent = await db
      .select({ atMs: reports.createdAtMs })
      .from(reports)
      .where(and(eq(reports.reporter, report.reporter), gt(reports.createdAtMs, nowMs - HOUR_MS)))
      .orderBy(asc(reports.createdAtMs))
      .limit(REPORTS_PER_HOUR_MAX);
    const [oldest] = recent;
    if (oldest !== undefined && recent.length === REPORTS_PER_HOUR_MAX)
      return { kind: 'refused', limit: 'caller', againAtMs: oldest.atMs + HOUR_MS };
    if (!hasRoomFor(report.share, await countToday(db, store.tables, nowMs)))
      return { kind: 'refused', limit: 'day', againAtMs: nextDayMs(nowMs) };
    await db.insert(reports).values({ ...report, createdAtMs: nowMs });
    if (report.kind === 'payment') await enqueue(db, store.tables, 'payment_reported', { reportId: report.id }, nowMs);
    return { kind: 'stored' };
  });
}

/** What the operator has closed counts too: the same caller does not open it again. */
async function isKnown(db: Db, { reports }: Tables, { kind, subject, reporter }: NewReport): Promise<boolean> {
  const isIt = and(eq(reports.kind, kind), eq(reports.subject, subject));
  const [own] = await db
    .select({ id: reports.id })
    .from(reports)
    .where(and(isIt, eq(reports.reporter, reporter)));
  if (own !== undefined) return true;
  const open = await db
    .select({ id: reports.id })
    .from(reports)
    .where(and(isIt, isNull(reports.closedAtMs)))
    .limit(REPORTS_PER_SUBJECT_MAX);
  return open.length === REPORTS_PER_SUBJECT_MAX;
}

async function countToday(db: Db, { reports }: Tables, nowMs: number): Promise<Record<ReportShare, number>> {
  const rows = await db
    .select({ share: reports.share, of: count() })
    .from(reports)
    .where(gte(reports.createdAtMs, nextDayMs(nowMs) - DAY_MS))
    .groupBy(reports.share);
  const of = (share: ReportShare) => rows.find((row) => row.share === share)?.of ?? 0;
  return { small: of('small'), large: of('large') };
}

export async function findReport({ read, tables: { reports } }: Store, id: string): Promise<ReportRow | null> {
  const [row] = await read.select().from(reports).where(eq(reports.id, id));
  return row ?? null;
}

/** Those that nobody has closed, the oldest first. */
export async function openReports({ read, tables: { reports } }: Store, limit: number): Promise<ReportRow[]> {
  return read.select().from(reports).where(isNull(reports.closedAtMs)).orderBy(asc(reports.createdAtMs)).limit(limit);
}

/** False where none is open under that id. */
export async function closeReport(store: Store, id: string, command: Command, nowMs: number): Promise<boolean> {
  const { reports } = store.tables;
  return store.tx(async (db) => {
    const isOpen = and(eq(reports.id, id), isNull(reports.closedAtMs));
    const closed = await db.update(reports).set({ closedAtMs: nowMs }).where(isOpen).returning({ id: reports.id });
    if (closed.length === 0) return false;
    await recordAction(db, store.tables, command, { result: 'closed', nowMs });
    return true;
  });
}

/** Deletes reports that were closed long ago: they hold a stranger's words. Answers how many. */
export async function forgetReports(store: Store, nowMs: number): Promise<number> {
  const { reports } = store.tables;
  const isOld = lte(reports.closedAtMs, nowMs - REPORT_KEPT_MS);
  const old = await store.read.select({ id: reports.id }).from(reports).where(isOld).limit(FORGOTTEN_MAX);
  const ids = old.map(({ id }) => id);
  if (ids.length > 0) await store.tx((db) => db.delete(reports).where(and(inArray(reports.id, ids), isOld)));
  return old.length;
}
