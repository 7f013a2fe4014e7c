import { eq } from 'drizzle-orm';
import type { Store } from './store.ts';

export type Heartbeat = { atMs: number; detail: Record<string, unknown> };

export async function beat(store: Store, name: string, heartbeat: Heartbeat): Promise<void> {
  const { heartbeats } = store.tables;
  await store.tx((db) =>
    db
      .insert(heartbeats)
      .values({ name, ...heartbeat })
      .onConflictDoUpdate({ target: [heartbeats.name], set: heartbeat }),
  );
}

export async function lastBeat(store: Store, name: string): Promise<Heartbeat | null> {
  const { heartbeats } = store.tables;
  const [row] = await store.read.select().from(heartbeats).where(eq(heartbeats.name, name));
  return row ? { atMs: row.atMs, detail: row.detail } : null;
}
