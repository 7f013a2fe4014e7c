import { and, inArray, like, lte, lt, ne } from 'drizzle-orm';
import type { Store } from '../store/store.ts';
import { mailCountersBefore } from './mail-limit.ts';

/** Whoever comes back to the page of a claim that came to nothing is told so for this long. */
export const FORGET_AFTER_MS = 7 * 24 * 3_600_000;
/** More than these are for the next time. */
const FORGOTTEN_MAX = 500;

/**
 * Strangers open claims as they like, so those that came to nothing do not stay, nor do the names in them, nor counts of
 * mails of past hours. What was confirmed stays: it says where money went. May run at any time and several times at once.
 * Answers how many claims were forgotten.
 */
export async function forgetClaims(store: Store, nowMs: number): Promise<number> {
  const { claims } = store.tables;
  const isOld = and(lte(claims.expiresAtMs, nowMs - FORGET_AFTER_MS), ne(claims.status, 'confirmed'));
  const old = await store.read.select({ id: claims.id }).from(claims).where(isOld).limit(FORGOTTEN_MAX);
  const ids = old.map(({ id }) => id);
  if (ids.length > 0) await store.tx((db) => db.delete(claims).where(and(inArray(claims.id, ids), isOld)));
  await forgetMailCounts(store, nowMs);
  return ids.length;
}

async function forgetMailCounts(store: Store, nowMs: number): Promise<void> {
  const { counters } = store.tables;
  for (const { prefix, before } of mailCountersBefore(nowMs)) {
    const isOld = and(like(counters.name, `${prefix}%`), lt(counters.name, before));
    const old = await store.read.select({ name: counters.name }).from(counters).where(isOld).limit(FORGOTTEN_MAX);
    const names = old.map(({ name }) => name);
    if (names.length > 0) await store.tx((db) => db.delete(counters).where(inArray(counters.name, names)));
  }
}
