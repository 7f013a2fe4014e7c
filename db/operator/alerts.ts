import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { AlertState } from '../../core/processes/alerts.ts';
import { beat } from '../store/heartbeats.ts';
import type { Store } from '../store/store.ts';

/** Alerts stand beside the other signs of the present state, under names with this prefix. */
const PREFIX = 'alert:';

const detailSchema = z.object({
  text: z.string(),
  sinceMs: z.number(),
  toldAtMs: z.number().nullable(),
  goneSinceMs: z.number().nullable(),
  doubtAtMs: z.number().nullable(),
});

/** Alerts that hold, or ended only lately. */
export async function readAlerts({ read, tables: { heartbeats } }: Store): Promise<AlertState[]> {
  const rows = await read
    .select({ name: heartbeats.name, detail: heartbeats.detail })
    .from(heartbeats)
    .where(sql`substr(${heartbeats.name}, 1, ${PREFIX.length}) = ${PREFIX}`);
  return rows.map(({ name, detail }) => ({ name: name.slice(PREFIX.length), ...detailSchema.parse(detail) }));
}

export async function writeAlert(store: Store, { name, ...detail }: AlertState, nowMs: number): Promise<void> {
  await beat(store, PREFIX + name, { atMs: nowMs, detail });
}

export async function forgetAlert(store: Store, name: string): Promise<void> {
  const { heartbeats } = store.tables;
  await store.tx(async (db) => void (await db.delete(heartbeats).where(eq(heartbeats.name, PREFIX + name))));
}
