import {
  bigint,
  bigserial,
  boolean,
  check,
  index,
  json,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { Kit } from './kit-sqlite.ts';

const pgKit = {
  table: pgTable,
  index,
  uniqueIndex,
  check,
  primaryKey,
  text: (name: string) => text(name),
  oneOf: (name: string, values: [string, ...string[]]) => text(name, { enum: values }),
  bigint: (name: string) => bigint(name, { mode: 'bigint' }),
  int: (name: string) => bigint(name, { mode: 'number' }),
  bool: (name: string) => boolean(name),
  /** Not jsonb, which reorders keys and refuses \\u0000: a stored answer must come back as it was, in both dialects. */
  json: (name: string) => json(name),
  serial: (name: string) => bigserial(name, { mode: 'number' }).primaryKey(),
};

/** The same builders as `kit-sqlite.ts` in the other dialect; queries are typed against the SQLite surface. */
export const kit = pgKit as unknown as Kit;
