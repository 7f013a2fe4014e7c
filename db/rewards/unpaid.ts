import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt } from 'drizzle-orm';
import { DISTRIBUTION_LIFE_MS } from '../../core/rewards/distribution.ts';
import { addWithin, readCounter } from '../store/counters.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

/** A visitor still sees its end for a week. */
const KEPT_AFTER_EXPIRY_MS = 7 * 86_400_000;
/** Deleted with each new one: more than one, so that a burst is cleared some time after it came. */
const FORGOTTEN_MAX = 20;
/**
 * For all callers with a limit together: what they make for nothing must not fill the disk. Above it the oldest are
 * deleted early, which takes a hundred addresses, each with its full limit.
 */
const UNTRIED_MAX = 10_000;
/** Their number, kept as a counter, because counting rows on PostgreSQL reads every row. */
const TOGETHER = 'distributions-of-callers';
/** No distribution is deleted sooner, so that its caller has time to read the list and pay. */
const KEPT_LEAST_MS = 3_600_000;

/** `caller`: the caller whose limit it is; `untriedMax`: how many a day such a caller may have, null for any number. */
export type CallerLimit = { caller: string; untriedMax: number | null };

/**
 * How long a caller has to wait for room for one more unpaid distribution; null: there is room now. Checked before the
 * post is read and not again when it is stored, so those read at the same time may exceed the limit.
 */
export async function waitForPlace(
  store: Store,
  { caller, untriedMax }: CallerLimit,
  nowMs: number,
  togetherMax = UNTRIED_MAX,
): Promise<number | null> {
  const lastMs = untriedMax === null ? null : await lastOf(store, { caller, untriedMax }, nowMs);
  if (lastMs !== null) return lastMs - nowMs;
  if ((await readCounter(store, TOGETHER)) < togetherMax) return null;
  const [oldest] = await oldestOfCallers(store, 1);
  const leastMs = (oldest?.expiresAtMs ?? 0) - DISTRIBUTION_LIFE_MS + KEPT_LEAST_MS - nowMs;
  return leastMs > 0 ? leastMs : null;
}

/**
 * Those that give way to a new one: old ones never tried, and the oldest of the callers' when there are too many
 * together. Read outside the transaction, where so wide a read would conflict with every payment for one of them.
 */
export async function findForgettable(store: Store, nowMs: number, togetherMax = UNTRIED_MAX): Promise<string[]> {
  const { distributions } = store.tables;
  const old = await store.read
    .select({ id: distributions.id })
    .from(distributions)
    .where(and(isNull(distributions.triedAtMs), lt(distributions.expiresAtMs, nowMs - KEPT_AFTER_EXPIRY_MS)))
    .orderBy(asc(distributions.expiresAtMs))
    .limit(FORGOTTEN_MAX);
  const tooMany = Number(await readCounter(store, TOGETHER)) + 1 - togetherMax;
  const oldest = tooMany > 0 ? await oldestOfCallers(store, Math.min(tooMany, FORGOTTEN_MAX)) : [];
  const aged = oldest.filter(({ expiresAtMs }) => expiresAtMs - DISTRIBUTION_LIFE_MS <= nowMs - KEPT_LEAST_MS);
  return [...old, ...aged].map(({ id }) => id);
}

/** One that a payment has tried meanwhile stays. */
export async function forgetWithin(db: Db, tables: Tables, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { distributions } = tables;
  const gone = await db
    .delete(distributions)
    .where(and(inArray(distributions.id, [...ids]), isNull(distributions.triedAtMs)))
    .returning({ caller: distributions.caller });
  await countWithin(db, tables, -gone.filter(({ caller }) => caller !== null).length);
}

/** Counts one more distribution of callers, unless it has no caller. */
export async function countNew(db: Db, tables: Tables, caller: string | null): Promise<void> {
  if (caller !== null) await countWithin(db, tables, 1);
}

/** From its first payment try on, whatever its outcome, it is kept for good and counts against no limit. */
export async function markTried(db: Db, tables: Tables, id: string, nowMs: number): Promise<void> {
  const { distributions } = tables;
  const untried = and(eq(distributions.id, id), isNull(distributions.triedAtMs));
  const counted = await db
    .update(distributions)
    .set({ triedAtMs: nowMs, caller: null })
    .where(and(untried, isNotNull(distributions.caller)))
    .returning({ id: distributions.id });
  await countWithin(db, tables, -counted.length);
  if (counted.length === 0) await db.update(distributions).set({ triedAtMs: nowMs }).where(untried);
}

async function countWithin(db: Db, tables: Tables, change: number): Promise<void> {
  if (change !== 0) await addWithin(db, { tables }, TOGETHER, BigInt(change));
}

/** When enough of the caller's have expired to be below the limit; null: the caller is below it already. */
async function lastOf(
  { read, tables: { distributions } }: Store,
  { caller, untriedMax }: { caller: string; untriedMax: number },
  nowMs: number,
): Promise<number | null> {
  const [last] = await read
    .select({ expiresAtMs: distributions.expiresAtMs })
    .from(distributions)
    .where(and(eq(distributions.caller, caller), gt(distributions.expiresAtMs, nowMs)))
    .orderBy(desc(distributions.expiresAtMs))
    .limit(1)
    .offset(untriedMax - 1);
  return last?.expiresAtMs ?? null;
}

async function oldestOfCallers({ read, tables: { distributions } }: Store, limit: number) {
  return read
    .select({ id: distributions.id, expiresAtMs: distributions.expiresAtMs })
    .from(distributions)
    .where(and(isNull(distributions.triedAtMs), isNotNull(distributions.caller)))
    .orderBy(asc(distributions.expiresAtMs))
    .limit(limit);
}
