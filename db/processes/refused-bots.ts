import { sql } from 'drizzle-orm';
import { beat } from '../store/heartbeats.ts';
import type { Store } from '../store/store.ts';

/** How a platform took the token of our bot stands beside the other signs of the present state. */
const PREFIX = 'let_in:';

/** Written when it changes. */
export async function noteLetIn(store: Store, platform: string, isIn: boolean, nowMs: number): Promise<void> {
  await beat(store, PREFIX + platform, { atMs: nowMs, detail: { isIn } });
}

/** The platforms that did not let our bot in at its last try. */
export async function refusedBots({ read, tables: { heartbeats } }: Store): Promise<string[]> {
  const rows = await read
    .select({ name: heartbeats.name, detail: heartbeats.detail })
    .from(heartbeats)
    .where(sql`substr(${heartbeats.name}, 1, ${PREFIX.length}) = ${PREFIX}`);
  return rows.flatMap(({ name, detail }) => (detail['isIn'] === false ? [name.slice(PREFIX.length)] : []));
}
