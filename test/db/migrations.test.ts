import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { pendingMigrations } from '../../db/store/migrate.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const MIGRATIONS = join(ROOT, 'db', 'migrations');
const KIT = join(ROOT, 'node_modules', 'drizzle-kit', 'bin.cjs');
const DIALECTS = { sqlite: 'sqlite', pg: 'postgresql' };

type Tree = keyof typeof DIALECTS;

/** What drizzle-kit would add to a copy of the tree. */
async function newFiles(tree: Tree, change: (folder: string) => void = () => undefined): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  cpSync(join(MIGRATIONS, tree), folder, { recursive: true });
  change(folder);
  const before = readdirSync(folder);
  const schema = `./db/schema/${tree}.ts`;
  const options = ['--dialect', DIALECTS[tree], '--schema', schema, '--out', relative(ROOT, folder)];
  await promisify(execFile)(process.execPath, [KIT, 'generate', ...options], { cwd: ROOT });
  const added = readdirSync(folder).filter((file) => !before.includes(file));
  rmSync(folder, { recursive: true });
  return added;
}

/** Each runs a program for seconds. */
describe.concurrent('the migrations', () => {
  test.each<Tree>(['sqlite', 'pg'])(
    'in %s make the tables as they are defined (if not: npm run db:generate)',
    async (tree) => {
      expect(await newFiles(tree)).toEqual([]);
    },
  );

  test('CONTROL: would be found out if they did not', async () => {
    const added = await newFiles('pg', (folder) => {
      const path = join(folder, 'meta', '0001_snapshot.json');
      const parsed = JSON.parse(readFileSync(path, 'utf8')) as { tables: Record<string, unknown> };
      delete parsed.tables['public.stamps'];
      writeFileSync(path, JSON.stringify(parsed));
    });
    expect(added).toHaveLength(1);
  });
});

test.each<Tree>(['sqlite', 'pg'])('the migrations in %s end with the hand-written rules as they are', (tree) => {
  const written = readFileSync(join(ROOT, 'db', 'rules', `${tree}.sql`), 'utf8');
  expect(readFileSync(join(MIGRATIONS, tree, '0001_rules.sql'), 'utf8')).toBe(written);
});

describe('migrations still to run', () => {
  const known = ['a', 'b', 'c'].map((hash) => ({ hash, sql: [], folderMillis: 0 }));

  test.each([
    [[], ['a', 'b', 'c']],
    [['a'], ['b', 'c']],
    [['a', 'b', 'c'], []],
  ])('after %j are %j', (applied, expected) => {
    expect(pendingMigrations(known, applied).map((migration) => migration.hash)).toEqual(expected);
  });

  test.each([[['b']], [['a', 'x']], [['a', 'b', 'c', 'd']]])('after %j cannot be known', (applied) => {
    expect(() => pendingMigrations(known, applied)).toThrow('is not one of the 3 of this version');
  });
});
