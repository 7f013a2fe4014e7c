import type { Kit } from '../dialects/kit-sqlite.ts';

export const defineDiscordTables = (k: Kit) => ({
  /**
   * What came over Discord's gateway, written before it is acknowledged there: Discord delivers it once, so a bot that
   * dies in between has to know it from here. Of an event that is done only its id is left.
   */
  discordEvents: k.table(
    'discord_events',
    {
      /** Discord's own id of the interaction. */
      id: k.text('id').primaryKey(),
      /** The parts that are read, with the token that answers it for 15 minutes; null once it is done. */
      body: k.json<Record<string, unknown>>('body'),
      receivedAtMs: k.int('received_at_ms').notNull(),
      doneAtMs: k.int('done_at_ms'),
    },
    (t) => [k.index('discord_events_done_idx').on(t.doneAtMs, t.receivedAtMs)],
  ),
});
