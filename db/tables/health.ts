import type { Kit } from '../dialects/kit-sqlite.ts';

export const defineHealthTables = (k: Kit) => ({
  /** The last sign of life of a role, so that another process can say whether all of the service serves. */
  heartbeats: k.table('heartbeats', {
    name: k.text('name').primaryKey(),
    atMs: k.int('at_ms').notNull(),
    detail: k.json<Record<string, unknown>>('detail').notNull(),
  }),
});
