import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm';
import { addWithin, takeWithin } from '../store/counters.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

/** How much may wait for one platform's answer at once: an outage must not collect money without end. */
export const RESOLVING_MAX = 1_000;

export type UnresolvedLine = { txnId: number; paymentId: string; platform: string };

/**
 * Notes lines whose platform did not answer, in the transaction that accepts them. Answers the platform that has no
 * room for them, if there is one; the caller then ends the transaction.
 */
export async function startLookups(
  db: Db,
  tables: Tables,
  lines: readonly UnresolvedLine[],
  nowMs: number,
): Promise<string | null> {
  if (lines.length === 0) return null;
  for (const [platform, count] of countByPlatform(lines)) {
    if (!(await takeWithin(db, { tables }, counterOf(platform), count, BigInt(RESOLVING_MAX)))) return platform;
  }
  await db.insert(tables.lookups).values(lines.map((line) => ({ ...line, nextTryAtMs: nowMs, tries: 0 })));
  return null;
}

/** The line is no longer looked up, however that ended. Does nothing for a line that was not. */
export async function endLookup(db: Db, tables: Tables, txnId: number): Promise<void> {
  const { lookups } = tables;
  const ended = await db.delete(lookups).where(eq(lookups.txnId, txnId)).returning({ platform: lookups.platform });
  await giveBack(db, tables, ended);
}

/** The same for all lines of a payment that never came. */
export async function endLookupsOf(db: Db, tables: Tables, paymentId: string): Promise<void> {
  const { lookups } = tables;
  const mine = eq(lookups.paymentId, paymentId);
  await giveBack(db, tables, await db.delete(lookups).where(mine).returning({ platform: lookups.platform }));
}

async function giveBack(db: Db, tables: Tables, ended: readonly { platform: string }[]): Promise<void> {
  for (const [platform, count] of countByPlatform(ended)) await addWithin(db, { tables }, counterOf(platform), -count);
}

export const counterOf = (platform: string): string => `resolving:${platform}`;

/** In the order of their names, so that two transactions never wait for each other in a circle. */
function countByPlatform(lines: readonly { platform: string }[]): [string, bigint][] {
  const counts = new Map<string, bigint>();
  for (const { platform } of lines) counts.set(platform, (counts.get(platform) ?? 0n) + 1n);
  return [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

export type DueLookup = {
  txnId: number;
  paymentId: string;
  platform: string;
  key: string;
  display: string;
  tries: number;
  /** When its payment first settled. */
  settledAtMs: number;
};

/** Lines to ask for now, the longest due first. Money that is not there (yet, or any more) needs no owner. */
export async function dueLookups(store: Store, nowMs: number, limit: number): Promise<DueLookup[]> {
  const { lines, lookups, payments } = store.tables;
  const rows = await store.read
    .select({
      txnId: lookups.txnId,
      paymentId: lookups.paymentId,
      platform: lookups.platform,
      key: lines.recipientKey,
      display: lines.display,
      tries: lookups.tries,
      settledAtMs: payments.settledAtMs,
    })
    .from(lookups)
    .innerJoin(lines, eq(lines.txnId, lookups.txnId))
    .innerJoin(payments, eq(payments.id, lookups.paymentId))
    .where(
      and(
        lte(lookups.nextTryAtMs, nowMs),
        eq(lines.status, 'resolving'),
        inArray(payments.status, ['settled', 'final']),
      ),
    )
    .orderBy(asc(lookups.nextTryAtMs))
    .limit(limit);
  return rows.flatMap(({ settledAtMs, ...row }) => (settledAtMs === null ? [] : [{ ...row, settledAtMs }]));
}

/**
 * Leases lines before their platform is asked, and sets when they are tried again if this process dies. Of several
 * workers that saw the same line one gets it. Answers the leased lines.
 */
export async function takeLookups(
  store: Store,
  wanted: readonly { txnId: number; tries: number; nextTryAtMs: number }[],
): Promise<Set<number>> {
  const { lookups } = store.tables;
  return store.tx(async (db) => {
    const taken = new Set<number>();
    for (const { txnId, tries, nextTryAtMs } of wanted) {
      const rows = await db
        .update(lookups)
        .set({ nextTryAtMs, tries: sql`${lookups.tries} + 1` })
        .where(and(eq(lookups.txnId, txnId), eq(lookups.tries, tries)))
        .returning({ txnId: lookups.txnId });
      if (rows.length > 0) taken.add(txnId);
    }
    return taken;
  });
}
