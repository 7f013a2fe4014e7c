import { and, asc, eq, gte, inArray, isNotNull, lt, lte, sql, type SQL } from 'drizzle-orm';
import { dayOf } from '../limits/daily.ts';
import type { Store } from '../store/store.ts';

/** Of each kind; the rest is left to the next run. */
const FORGOTTEN_AT_ONCE = 500;

/**
 * Deletes what was needed for a while only, in steps of a bounded size. Nothing of money: payments, lines, transfers, carriers, the
 * ledger, proofs, stored answers, and the counters that the audit compares with them stay. May run at any time and several
 * times at once. Answers how many rows went.
 */
export async function forgetOld(store: Store, untilMs: number): Promise<number> {
  const events = await forgetEvents(store, untilMs);
  const counters = await forgetCounters(store, untilMs);
  return events + counters + (await forgetPasses(store, untilMs));
}

/** Work for others that was done: its key kept it from being written twice, which nobody tries after so long. */
async function forgetEvents(store: Store, untilMs: number): Promise<number> {
  const { outbox } = store.tables;
  const old = await store.read
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(isNotNull(outbox.doneAtMs), lte(outbox.doneAtMs, untilMs)))
    .orderBy(asc(outbox.doneAtMs))
    .limit(FORGOTTEN_AT_ONCE);
  const ids = old.map(({ id }) => id);
  if (ids.length > 0) await store.tx((db) => db.delete(outbox).where(inArray(outbox.id, ids)));
  return ids.length;
}

/**
 * What wallets have spent, asked for and taken out on a day, and the answers of passkeys that have let in. Those of payouts stay:
 * the audit compares them.
 */
const DAY_COUNTERS = ['passkey_sign_in', 'spent', 'withdrawals_at_once', 'withdrawals_of_day'] as const;
const DAY_LENGTH = 10;

async function forgetCounters(store: Store, untilMs: number): Promise<number> {
  const { counters } = store.tables;
  const day = dayOf(untilMs);
  const isOld = (kind: string): SQL | undefined =>
    and(
      gte(counters.name, `${kind}:`),
      sql`substr(${counters.name}, 1, ${kind.length + 1}) = ${`${kind}:`}`,
      lt(counters.name, `${kind}:${day}`),
      sql`substr(${counters.name}, ${kind.length + 2}, ${DAY_LENGTH}) < ${day}`,
    );
  let count = 0;
  for (const kind of DAY_COUNTERS) {
    const old = await store.read
      .select({ name: counters.name })
      .from(counters)
      .where(isOld(kind))
      .limit(FORGOTTEN_AT_ONCE);
    const names = old.map(({ name }) => name);
    if (names.length > 0) await store.tx((db) => db.delete(counters).where(inArray(counters.name, names)));
    count += names.length;
  }
  return count;
}

/** What the screening let pass; what it refused, and what an operator released, stays. */
async function forgetPasses(store: Store, untilMs: number): Promise<number> {
  const { screenings } = store.tables;
  const isOld = and(eq(screenings.verdict, 'allowed'), lte(screenings.atMs, untilMs), lt(screenings.untilMs, untilMs));
  const old = await store.read
    .select({ stage: screenings.stage, subject: screenings.subject })
    .from(screenings)
    .where(isOld)
    .limit(FORGOTTEN_AT_ONCE);
  await store.tx(async (db) => {
    // One that was decided again meanwhile is no longer old.
    for (const { stage, subject } of old)
      await db.delete(screenings).where(and(eq(screenings.stage, stage), eq(screenings.subject, subject), isOld));
  });
  return old.length;
}
