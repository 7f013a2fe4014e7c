import { and, eq, gt, lte } from 'drizzle-orm';
import type { Store } from '../store/store.ts';

export type ChatFile = Store['tables']['chatFiles']['$inferSelect'];

/** Forgets those whose time is over on the way. */
export async function createFile(store: Store, file: ChatFile, nowMs: number): Promise<void> {
  const { chatFiles } = store.tables;
  await store.tx(async (db) => {
    await db.delete(chatFiles).where(lte(chatFiles.untilMs, nowMs));
    await db.insert(chatFiles).values(file);
  });
}

/** Null for one that never was, and for one whose time is over. */
export async function findFile(store: Store, id: string, nowMs: number): Promise<ChatFile | null> {
  const { chatFiles } = store.tables;
  const [row] = await store.read
    .select()
    .from(chatFiles)
    .where(and(eq(chatFiles.id, id), gt(chatFiles.untilMs, nowMs)));
  return row ?? null;
}
