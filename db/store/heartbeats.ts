import { eq, sql } from 'drizzle-orm';
import { given, placeholder, prepare } from './prepare.ts';
import type { Store } from './store.ts';

export type Heartbeat = { atMs: number; detail: Record<string, unknown> };

export async function beat(store: Store, name: string, heartbeat: Heartbeat): Promise<void> {
  await store.tx((db) => writeBeat(db, { name, ...heartbeat }));
}

const writeBeat = prepare((db, { heartbeats }) =>
  db
    .insert(heartbeats)
    .values(given('name', 'atMs', 'detail'))
    .onConflictDoUpdate({
      target: [heartbeats.name],
      set: { atMs: sql`excluded.at_ms`, detail: sql`excluded.detail` },
    }),
);

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
