/**
 * Builds the database code of this tree into the fixture that a test runs beside every later one: `node scripts/schema-fixture.mjs`.
 * Run it for a schema that is released, and never again for the same: the file is what old processes are.
 */
import { join } from 'node:path';
import { build } from 'esbuild';

const FOLDER = join(import.meta.dirname, '..', 'test', 'db', 'schema-1');

await build({
  entryPoints: [join(FOLDER, 'code.ts')],
  outfile: join(FOLDER, 'built.mjs'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  minify: true,
  legalComments: 'none',
  banner: { js: '// @ts-nocheck' },
  // Native or with files of its own; its own interface is as old as the file.
  external: ['better-sqlite3', 'pg', 'pg-native', 'drizzle-orm', 'drizzle-orm/*', 'tldts', 'zod'],
});
