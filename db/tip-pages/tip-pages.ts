import { and, eq, isNull } from 'drizzle-orm';
import { TIP_PAGE_MS } from '../../core/tip-pages/tip-pages.ts';
import type { Platform } from '../../core/platforms/platforms.ts';
import { recordAction, type Command } from '../operator/actions.ts';
import type { Store } from '../store/store.ts';

export type TipPage = { identityId: string; display: string; words: string | null };

/**
 * The page under a name; null where there is none, its time is over, its owner has opted out, or more than one account has
 * had that name: then nobody knows whose it is.
 */
export async function findTipPage(
  { read, tables: { identities, tipPages } }: Store,
  { platform, key }: { platform: Platform; key: string },
  nowMs: number,
): Promise<TipPage | null> {
  const rows = await read
    .select({ person: identities, page: tipPages })
    .from(identities)
    .leftJoin(tipPages, eq(tipPages.identityId, identities.id))
    .where(and(eq(identities.platform, platform), eq(identities.key, key)))
    .limit(2);
  const [found] = rows;
  if (found === undefined || rows.length > 1 || found.page === null) return null;
  const { person, page } = found;
  const isShown = (page.untilMs ?? 0) > nowMs && page.barredAtMs === null && person.optedOutAtMs === null;
  return isShown ? { identityId: person.id, display: person.display, words: page.words } : null;
}

/** `barred`: the operator has taken it away, and its owner cannot switch it on. */
export type OwnTipPage = { words: string | null; untilMs: number | null; isBarred: boolean };

export async function ownTipPage(
  { read, tables: { tipPages } }: Store,
  identityId: string,
): Promise<OwnTipPage | null> {
  const [row] = await read.select().from(tipPages).where(eq(tipPages.identityId, identityId));
  return row === undefined ? null : { words: row.words, untilMs: row.untilMs, isBarred: row.barredAtMs !== null };
}

/** `words`: null switches it off. One that the operator has taken away stays as it is; false then. */
export async function setTipPage(
  store: Store,
  { identityId, page }: { identityId: string; page: { words: string | null } | null },
  nowMs: number,
): Promise<boolean> {
  const { tipPages } = store.tables;
  const set = { words: page?.words ?? null, untilMs: page === null ? null : nowMs + TIP_PAGE_MS };
  return store.tx(async (db) => {
    const written = await db
      .insert(tipPages)
      .values({ identityId, ...set })
      .onConflictDoUpdate({ target: tipPages.identityId, set, setWhere: isNull(tipPages.barredAtMs) })
      .returning({ identityId: tipPages.identityId });
    return written.length > 0;
  });
}

/** The operator takes a person's page away, for good. False where there is none, or it was taken away before. */
export async function barTipPage(store: Store, identityId: string, command: Command, nowMs: number): Promise<boolean> {
  const { tipPages } = store.tables;
  return store.tx(async (db) => {
    const isThere = and(eq(tipPages.identityId, identityId), isNull(tipPages.barredAtMs));
    const set = { words: null, untilMs: null, barredAtMs: nowMs };
    const barred = await db.update(tipPages).set(set).where(isThere).returning({ id: tipPages.identityId });
    if (barred.length === 0) return false;
    await recordAction(db, store.tables, command, { result: 'taken away', nowMs });
    return true;
  });
}
