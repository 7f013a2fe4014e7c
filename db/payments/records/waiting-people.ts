import { and, asc, desc, eq, sql, type SQL } from 'drizzle-orm';
import type { Db, Store } from '../../store/store.ts';
import type { Tables } from '../../schema/tables.ts';

/** How many waiting lines a look reads at most, and how many of those that go back last it reads beside them. */
const LOOK_MAX = 1_000;
const NEWEST_MAX = 200;

type Place = { expiresAtMs: number; txnId: number };

/** How far through what waits the looks of a job have come; null: the next one begins with what goes back first. */
export type Walk = { after: Place | null };

/** `next`: where the walk goes on once the job is done with these people; null: at its beginning. */
export type Look = { people: readonly string[]; next: Place | null };

export const startWalk = (): Walk => ({ after: null });

type Waiting = ReturnType<typeof waitingAhead>;

/**
 * Whose money waits in escrow, as far as one look goes. Very much may wait, for months, and little of it changes, so a
 * round reads the next lines only, in the order in which they go back, and the newest ones, whose people were never
 * looked at. `which`: whom of them the job is about.
 */
export async function lookAtWaiting(
  { read, tables }: Pick<Store, 'read' | 'tables'>,
  { after }: Walk,
  which: (waiting: Waiting) => SQL | undefined,
  most = LOOK_MAX,
): Promise<Look> {
  const ahead = waitingAhead(read, tables, after, most);
  const found = await read.selectDistinct({ id: ahead.identityId }).from(ahead).where(which(ahead));
  const next = await lastOf(read, tables, after, most);
  const isAll = after === null && next === null;
  const newest = newestWaiting(read, tables);
  const more = isAll ? [] : await read.selectDistinct({ id: newest.identityId }).from(newest).where(which(newest));
  return { people: [...new Set([...found, ...more].map(({ id }) => id))], next };
}

const columnsOf = ({ lines }: Tables) => ({ identityId: lines.identityId, platform: lines.platform });

function waitingAhead(db: Db, tables: Tables, after: Place | null, most: number) {
  const { lines } = tables;
  return db
    .select(columnsOf(tables))
    .from(lines)
    .where(isAhead(tables, after))
    .orderBy(asc(lines.expiresAtMs), asc(lines.txnId))
    .limit(most)
    .as('ahead');
}

function newestWaiting(db: Db, tables: Tables): Waiting {
  const { lines } = tables;
  return db
    .select(columnsOf(tables))
    .from(lines)
    .where(eq(lines.status, 'escrowed'))
    .orderBy(desc(lines.expiresAtMs), desc(lines.txnId))
    .limit(NEWEST_MAX)
    .as('ahead');
}

/** Null where a look comes to the end of what waits. */
async function lastOf(db: Db, tables: Tables, after: Place | null, most: number): Promise<Place | null> {
  const { lines } = tables;
  const [last] = await db
    .select({ expiresAtMs: lines.expiresAtMs, txnId: lines.txnId })
    .from(lines)
    .where(isAhead(tables, after))
    .orderBy(asc(lines.expiresAtMs), asc(lines.txnId))
    .limit(1)
    .offset(most - 1);
  return last ?? null;
}

function isAhead({ lines }: Tables, after: Place | null): SQL | undefined {
  const { expiresAtMs, txnId } = lines;
  const isEscrowed = eq(lines.status, 'escrowed');
  return after === null
    ? isEscrowed
    : and(isEscrowed, sql`(${expiresAtMs}, ${txnId}) > (${after.expiresAtMs}, ${after.txnId})`);
}
