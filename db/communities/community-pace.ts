import { and, eq, gt, lte, or, type Column, type SQL } from 'drizzle-orm';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import type { Community } from './community-settings.ts';

export type Tipper = Community & { userId: string };
export type Pace = { cooldownSeconds: number; nowMs: number };

/**
 * Begins the time that has to pass before this person's next tip there. Null when it has begun; else nothing has, and the
 * answer is when the last one is over. One guarded statement, so of two tips at once one gets through.
 */
export async function takeCooldown(
  db: Db,
  tables: Tables,
  tipper: Tipper,
  { cooldownSeconds, nowMs }: Pace,
): Promise<number | null> {
  if (cooldownSeconds === 0) return null;
  const { communityTips } = tables;
  const { transport, communityId, userId } = tipper;
  const taken = await db
    .insert(communityTips)
    .values({ transport, communityId, userId, lastTipAtMs: nowMs })
    .onConflictDoUpdate({
      target: [communityTips.transport, communityTips.communityId, communityTips.userId],
      set: { lastTipAtMs: nowMs },
      setWhere: isOver(communityTips.lastTipAtMs, { cooldownSeconds, nowMs }),
    })
    .returning({ lastTipAtMs: communityTips.lastTipAtMs });
  if (taken.length > 0) return null;
  return endOf(await lastTipAt(db, tables, tipper), { cooldownSeconds, nowMs }) ?? nowMs;
}

/** When this person may tip there again; null: now. It changes nothing, and a tip that is made meanwhile comes first. */
export async function findCooldownEnd(store: Store, tipper: Tipper, pace: Pace): Promise<number | null> {
  if (pace.cooldownSeconds === 0) return null;
  return endOf(await lastTipAt(store.read, store.tables, tipper), pace);
}

async function lastTipAt(db: Db, { communityTips }: Tables, { transport, communityId, userId }: Tipper) {
  const [row] = await db
    .select({ lastTipAtMs: communityTips.lastTipAtMs })
    .from(communityTips)
    .where(
      and(
        eq(communityTips.transport, transport),
        eq(communityTips.communityId, communityId),
        eq(communityTips.userId, userId),
      ),
    );
  return row?.lastTipAtMs ?? null;
}

/** A time further ahead than any pause is also over: it came from a wrong clock, and must not make a member wait. */
function isOver(lastTipAtMs: Column, { cooldownSeconds, nowMs }: Pace): SQL | undefined {
  const cooldownMs = cooldownSeconds * 1_000;
  return or(lte(lastTipAtMs, nowMs - cooldownMs), gt(lastTipAtMs, nowMs + cooldownMs));
}

function endOf(lastTipAtMs: number | null, { cooldownSeconds, nowMs }: Pace): number | null {
  if (lastTipAtMs === null || lastTipAtMs > nowMs + cooldownSeconds * 1_000) return null;
  const endsAtMs = lastTipAtMs + cooldownSeconds * 1_000;
  return endsAtMs > nowMs ? endsAtMs : null;
}
