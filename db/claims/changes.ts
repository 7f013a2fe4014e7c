import { and, asc, eq, lte } from 'drizzle-orm';
import { MAILED_PLATFORMS, REPLACEMENT_WAIT_MS } from '../../core/claims/claims.ts';
import { isRestored } from '../store/stops.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { linkWithin, type ReleaseDependencies } from '../transfers/link-wallet.ts';

/** The rest is left to the next round. */
const CHANGES_MAX = 100;
/** The mail must be sent at least this long before the address counts: a mail in the last minute stops no thief. */
export const TOLD_BEFORE_MS = REPLACEMENT_WAIT_MS / 2;

/**
 * Applies addresses whose day has passed without the owner stopping them, each in its own transaction. A failure does
 * not stop the others and is thrown at the end. Answers how many now count.
 */
export async function applyDueChanges(store: Store, { transferIdOf, nowMs }: ReleaseDependencies): Promise<number> {
  const { walletChanges } = store.tables;
  // The owner may have stopped one in the time that these books have lost.
  if (await isRestored(store.read)) return 0;
  const due = await store.read
    .select()
    .from(walletChanges)
    .where(lte(walletChanges.effectiveAtMs, nowMs))
    .orderBy(asc(walletChanges.effectiveAtMs))
    .limit(CHANGES_MAX);
  let applied = 0;
  const failures: unknown[] = [];
  for (const change of due) {
    try {
      if (await applyChange(store, change, { transferIdOf, nowMs })) applied += 1;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} addresses could not be replaced`);
  return applied;
}

type Change = Store['tables']['walletChanges']['$inferSelect'];

/**
 * Meanwhile it may have been stopped, or replaced by an address with its own day. If the owner was not notified,
 * because our mail server was down, the day starts again and the notice names the new time.
 */
async function applyChange(store: Store, change: Change, dependencies: ReleaseDependencies): Promise<boolean> {
  const { walletChanges } = store.tables;
  const { identityId, network, address, source, effectiveAtMs } = change;
  const same = and(
    eq(walletChanges.identityId, identityId),
    eq(walletChanges.network, network),
    eq(walletChanges.address, address),
    eq(walletChanges.effectiveAtMs, effectiveAtMs),
  );
  return store.tx(async (db) => {
    if (!(await wasTold(db, store.tables, change))) {
      const again = { effectiveAtMs: dependencies.nowMs + REPLACEMENT_WAIT_MS };
      await db.update(walletChanges).set(again).where(same);
      return false;
    }
    const taken = await db.delete(walletChanges).where(same).returning({ network: walletChanges.network });
    if (taken.length === 0) return false;
    await linkWithin(db, store.tables, { identityId, network, address, source }, dependencies);
    return true;
  });
}

/** A mail given up (the mailbox takes none) counts as sent: no more can be done. Other platforms get no mails. */
async function wasTold(
  db: Db,
  { identities, notices }: Tables,
  { identityId, effectiveAtMs }: Change,
): Promise<boolean> {
  const [owner] = await db
    .select({ platform: identities.platform, untilMs: notices.untilMs, sentAtMs: notices.sentAtMs })
    .from(identities)
    .leftJoin(notices, and(eq(notices.identityId, identities.id), eq(notices.kind, 'address')))
    .where(eq(identities.id, identityId));
  if (owner === undefined || !MAILED_PLATFORMS.some((name) => name === owner.platform)) return true;
  const { untilMs, sentAtMs } = owner;
  if (untilMs === null || sentAtMs === null) return false;
  return untilMs >= effectiveAtMs && sentAtMs <= effectiveAtMs - TOLD_BEFORE_MS;
}
