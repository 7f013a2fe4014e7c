import { and, inArray, like, lte, lt, ne } from 'drizzle-orm';
import type { Store } from '../store/store.ts';
import { isOverAt, mailCountersBefore } from './mail-limit.ts';

/** How long the page of an ended claim still shows its end. */
export const FORGET_AFTER_MS = 7 * 24 * 3_600_000;
/** The rest is left to the next run. */
const FORGOTTEN_MAX = 500;

/**
 * Deletes old claims that were not confirmed, mails whose links are over and mail counters of past hours, because
 * strangers can open any number.
 * Confirmed claims stay: they say where money went. May run at any time and several times at once. Answers how many
 * claims were deleted.
 */
export async function forgetClaims(store: Store, nowMs: number): Promise<number> {
  const { claims } = store.tables;
  const isOld = and(lte(claims.expiresAtMs, nowMs - FORGET_AFTER_MS), ne(claims.status, 'confirmed'));
  const old = await store.read.select({ id: claims.id }).from(claims).where(isOld).limit(FORGOTTEN_MAX);
  const ids = old.map(({ id }) => id);
  if (ids.length > 0) await store.tx((db) => db.delete(claims).where(and(inArray(claims.id, ids), isOld)));
  await forgetMails(store, nowMs);
  return ids.length;
}

async function forgetMails(store: Store, nowMs: number): Promise<void> {
  const { codeMails, counters } = store.tables;
  const { prefix, before } = mailCountersBefore(nowMs);
  const isOld = and(like(counters.name, `${prefix}%`), lt(counters.name, before));
  const old = await store.read.select({ name: counters.name }).from(counters).where(isOld).limit(FORGOTTEN_MAX);
  const names = old.map(({ name }) => name);
  if (names.length > 0) await store.tx((db) => db.delete(counters).where(inArray(counters.name, names)));
  const isOver = isOverAt(store.tables, nowMs);
  const over = await store.read.select({ hash: codeMails.linkHash }).from(codeMails).where(isOver).limit(FORGOTTEN_MAX);
  const hashes = over.map(({ hash }) => hash);
  if (hashes.length > 0) await store.tx((db) => db.delete(codeMails).where(inArray(codeMails.linkHash, hashes)));
}
