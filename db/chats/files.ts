import { and, eq, gt, lte } from 'drizzle-orm';
import type { Tables } from '../schema/tables.ts';
import type { Db, Store } from '../store/store.ts';

export type ChatFile = Store['tables']['chatFiles']['$inferSelect'];

/** Also forgets the expired ones. */
export async function createFile(store: Store, file: ChatFile, nowMs: number): Promise<void> {
  const { chatFiles } = store.tables;
  await store.tx(async (db) => {
    await db.delete(chatFiles).where(lte(chatFiles.untilMs, nowMs));
    await db.insert(chatFiles).values(file);
  });
}

/** Used up: nobody else opens it, and of two at once one does. */
export async function takeFile(
  db: Db,
  { chatFiles }: Tables,
  { id, kind }: Pick<ChatFile, 'id' | 'kind'>,
  nowMs: number,
): Promise<ChatFile | null> {
  const [row] = await db
    .delete(chatFiles)
    .where(and(eq(chatFiles.id, id), eq(chatFiles.kind, kind), gt(chatFiles.untilMs, nowMs)))
    .returning();
  return row ?? null;
}

/** Null for one that never was, or has expired. */
export async function findFile(store: Store, id: string, nowMs: number): Promise<ChatFile | null> {
  const { chatFiles } = store.tables;
  const [row] = await store.read
    .select()
    .from(chatFiles)
    .where(and(eq(chatFiles.id, id), gt(chatFiles.untilMs, nowMs)));
  return row ?? null;
}
