import { and, asc, eq, gt, inArray, lte, sql } from 'drizzle-orm';
import type { Db, Store } from '../store/store.ts';
import { questionsOf, toViolation, type Violation } from './invariants.ts';
import { continuePass, type Pass } from './pass.ts';
import type { Question } from './question.ts';

/** Entries younger than this wait: on PostgreSQL a lower id may still be on its way to its commit. */
const SETTLE_MS = 60_000;
const AT_ONCE = 500;
/** Whatever is left after this many is taken by the next round. */
const STEPS_MAX = 100;
const CHECKPOINT = 'books';

/**
 * One round: checks on one snapshot what is open and what has changed, and asks about the next parts of everything. What was
 * found sound is not read again until it changes or its turn comes; what was not stays, and is found again.
 */
export async function auditRound(store: Store, pass: Pass, nowMs: number): Promise<Violation[]> {
  const { violations, fed } = await askOf(store, questionsOf(store, 'changed'));
  const found = distinct([...violations, ...(await continuePass(store, pass))]);
  if (found.length > 0) return found;
  await forget(store, fed);
  for (let step = 0; step < STEPS_MAX && (await advance(store, nowMs)); step += 1);
  return [];
}

/** What is open is asked about in each round, and in its turn once more. */
const distinct = (found: readonly Violation[]): Violation[] => [
  ...new Map(found.map((violation) => [JSON.stringify(violation), violation])).values(),
];

async function askOf(
  store: Store,
  questions: readonly Question[],
): Promise<{ violations: Violation[]; fed: number[] }> {
  const { auditFeed } = store.tables;
  const feed = store.read.select({ id: auditFeed.id }).from(auditFeed).toSQL();
  const [fed = [], ...answers] = await store.snapshot([feed, ...questions.map(({ query }) => query.toSQL())]);
  const violations = questions.flatMap(({ rule }, index) =>
    (answers[index] ?? []).map(([detail, network]) => toViolation(rule, detail, network)),
  );
  return { violations, fed: fed.map(([id]) => Number(id)) };
}

async function forget(store: Store, ids: readonly number[]): Promise<void> {
  const { auditFeed } = store.tables;
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE);
    await store.tx((db) => db.delete(auditFeed).where(inArray(auditFeed.id, some)));
  }
}

/** Adds the next entries to the sums of the checkpoint. The old checkpoint is named, so each entry is added once. */
async function advance(store: Store, nowMs: number): Promise<boolean> {
  const { auditCheckpoints, auditedBalances, entries, postings } = store.tables;
  return store.tx(async (db) => {
    const after = await checkpoint(db, store);
    const next = await db
      .select({ id: entries.id })
      .from(entries)
      .where(and(gt(entries.id, after), lte(entries.createdAtMs, nowMs - SETTLE_MS)))
      .orderBy(asc(entries.id))
      .limit(AT_ONCE);
    const entryId = next.at(-1)?.id;
    if (entryId === undefined) return false;
    const isIt = and(eq(auditCheckpoints.name, CHECKPOINT), eq(auditCheckpoints.entryId, after));
    const moved = await db.update(auditCheckpoints).set({ entryId }).where(isIt).returning();
    if (moved.length === 0) return false;
    const sums = await db
      .select({ account: postings.account, sum: sql<string>`cast(sum(${postings.amount}) as text)` })
      .from(postings)
      .where(and(gt(postings.entryId, after), lte(postings.entryId, entryId)))
      .groupBy(postings.account);
    const rows = sums
      .map(({ account, sum }) => ({ account, amount: BigInt(sum) }))
      .filter(({ amount }) => amount !== 0n);
    if (rows.length === 0) return true;
    await db
      .insert(auditedBalances)
      .values(rows)
      .onConflictDoUpdate({
        target: [auditedBalances.account],
        set: { amount: sql`${auditedBalances.amount} + excluded.amount` },
      });
    const accounts = rows.map(({ account }) => account);
    await db
      .delete(auditedBalances)
      .where(and(inArray(auditedBalances.account, accounts), eq(auditedBalances.amount, 0n)));
    return next.length === AT_ONCE;
  });
}

async function checkpoint(db: Db, { tables: { auditCheckpoints } }: Store): Promise<number> {
  await db.insert(auditCheckpoints).values({ name: CHECKPOINT, entryId: 0 }).onConflictDoNothing();
  const [row] = await db.select().from(auditCheckpoints).where(eq(auditCheckpoints.name, CHECKPOINT));
  return row?.entryId ?? 0;
}
