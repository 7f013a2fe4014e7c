import { eq } from 'drizzle-orm';
import { placeholder, prepare } from './prepare.ts';
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
  const [row] = await beatOf(store.read, { name });
  return row ? { atMs: row.atMs, detail: row.detail } : null;
}

const beatOf = prepare((db, { heartbeats }) =>
  db
    .select()
    .from(heartbeats)
    .where(eq(heartbeats.name, placeholder('name'))),
);
