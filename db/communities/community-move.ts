import { and, eq, inArray, type SQL } from 'drizzle-orm';
import { communitySettingsSchema } from '../../core/communities/community-settings.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

/** The same community, whose platform has given it another id. */
export type Move = { transport: string; from: string; to: string };

/**
 * Takes along what its moderators have decided, whom they have banned, who is known there, and what its open orders are
 * judged by. Where
 * the new id already has something, that was decided later. Doing it twice, or in two processes, changes nothing more.
 */
export async function moveCommunity(store: Store, move: Move): Promise<void> {
  await store.tx(async (db) => {
    await moveSettings(db, store.tables, move);
    await moveMembers(db, store.tables, move);
    const { orders, drops } = store.tables;
    // Messages have other numbers there, so an order keeps naming the place of its own numbers.
    await db
      .update(orders)
      .set({ communityId: move.to })
      .where(and(eq(orders.transport, move.transport), eq(orders.chatId, move.from)));
    await db
      .update(drops)
      .set({ communityId: move.to })
      .where(and(eq(drops.transport, move.transport), eq(drops.communityId, move.from)));
  });
}

async function moveSettings(db: Db, { communitySettings }: Tables, { transport, from, to }: Move): Promise<void> {
  const isOld = and(eq(communitySettings.transport, transport), eq(communitySettings.communityId, from));
  const [row] = await db.delete(communitySettings).where(isOld).returning();
  if (!row) return;
  const settings = communitySettingsSchema.parse(row.settings);
  const rename = <Place extends { id: string }>(place: Place): Place =>
    place.id === from ? { ...place, id: to } : place;
  const moved = {
    ...settings,
    channels: settings.channels.map(rename),
    logChat: settings.logChat === null ? null : rename(settings.logChat),
  };
  await db
    .insert(communitySettings)
    .values({ ...row, communityId: to, settings: moved })
    .onConflictDoNothing();
}

async function moveMembers(
  db: Db,
  { communityBans, communityTips, communityPeople, communityAnswers, topMembers }: Tables,
  { transport, from, to }: Move,
): Promise<void> {
  for (const table of [communityBans, communityTips, communityPeople, communityAnswers, topMembers]) {
    const isIn = (communityId: string): SQL | undefined =>
      and(eq(table.transport, transport), eq(table.communityId, communityId));
    const there = db.select({ userId: table.userId }).from(table).where(isIn(to));
    await db.delete(table).where(and(isIn(from), inArray(table.userId, there)));
    await db.update(table).set({ communityId: to }).where(isIn(from));
  }
}
