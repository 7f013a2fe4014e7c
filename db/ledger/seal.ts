import { asc, desc, gt, inArray, lte, and } from 'drizzle-orm';
import { createHash } from 'node:crypto';
import type { Store } from '../store/store.ts';

/** Entries younger than this wait: on PostgreSQL a lower id may still be on its way to its commit. */
const SETTLE_MS = 60_000;
const SEAL_MAX = 500;
const GENESIS = '0'.repeat(64);

/**
 * Chains the hashes of ledger entries, so that a copy of the last hash proves all entries before it. It runs after the
 * fact, outside the money transactions, and is the only writer of seals. Answers how many entries were sealed.
 */
export async function sealEntries(store: Store, nowMs: number): Promise<number> {
  const { seals } = store.tables;
  const [last] = await store.read.select().from(seals).orderBy(desc(seals.entryId)).limit(1);
  const rows = await chained(store, last ?? { entryId: 0, hash: GENESIS }, nowMs - SETTLE_MS);
  if (rows.length === 0) return 0;
  await store.tx((db) => db.insert(seals).values(rows).onConflictDoNothing());
  return rows.length;
}

/** The first entry whose seal does not fit what stands there now; null when all of them fit. */
export async function findBrokenSeal(store: Store): Promise<number | null> {
  const { seals } = store.tables;
  let previous = { entryId: 0, hash: GENESIS };
  for (;;) {
    const expected = await chained(store, previous, Number.MAX_SAFE_INTEGER);
    if (expected.length === 0) return null;
    const ids = expected.map(({ entryId }) => entryId);
    const found = await store.read.select().from(seals).where(inArray(seals.entryId, ids));
    const byId = new Map(found.map(({ entryId, hash }) => [entryId, hash]));
    for (const { entryId, hash } of expected) {
      const sealed = byId.get(entryId);
      // Beyond the last seal there is nothing to compare; before it, a missing one is a broken one.
      if (sealed === undefined) return found.some((later) => later.entryId > entryId) ? entryId : null;
      if (sealed !== hash) return entryId;
    }
    previous = expected.at(-1) ?? previous;
  }
}

type Seal = { entryId: number; hash: string };

async function chained(store: Store, after: Seal, untilMs: number): Promise<Seal[]> {
  const { entries, postings } = store.tables;
  const next = await store.read
    .select()
    .from(entries)
    .where(and(gt(entries.id, after.entryId), lte(entries.createdAtMs, untilMs)))
    .orderBy(asc(entries.id))
    .limit(SEAL_MAX);
  if (next.length === 0) return [];
  const ids = next.map(({ id }) => id);
  const rows = await store.read
    .select()
    .from(postings)
    .where(inArray(postings.entryId, ids))
    .orderBy(asc(postings.entryId), asc(postings.position));
  let { hash } = after;
  return next.map(({ id, cause, createdAtMs }) => {
    const mine = rows.filter(({ entryId }) => entryId === id);
    const text = mine.map(({ account, unit, amount, amountWei }) => `${account} ${unit} ${amount} ${amountWei}`);
    hash = createHash('sha256')
      .update([hash, String(id), cause, String(createdAtMs), ...text].join('\n'))
      .digest('hex');
    return { entryId: id, hash };
  });
}
