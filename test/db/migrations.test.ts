import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pendingMigrations } from '../../db/store/migrate.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const KIT = join(ROOT, 'node_modules', 'drizzle-kit', 'bin.cjs');

describe.each([
  ['sqlite', 'sqlite'],
  ['pg', 'postgresql'],
])('the migrations in db/migrations/%s', (tree, dialect) => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'migrations-'));
    cpSync(join(ROOT, 'db', 'migrations', tree), folder, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** What drizzle-kit would add to the tree. */
  function newFiles(): string[] {
    const before = readdirSync(folder);
    const schema = `./db/schema/${tree}.ts`;
    const options = ['--dialect', dialect, '--schema', schema, '--out', relative(ROOT, folder)];
    execFileSync(process.execPath, [KIT, 'generate', ...options], { cwd: ROOT, stdio: 'pipe' });
    return readdirSync(folder).filter((file) => !before.includes(file));
  }

  test('make the tables as they are defined (if not: npm run db:generate)', () => {
    expect(newFiles()).toEqual([]);
  });

  test.runIf(tree === 'pg')('CONTROL: would be found out if they did not', () => {
    const path = join(folder, 'meta', '0001_snapshot.json');
    const parsed = JSON.parse(readFileSync(path, 'utf8')) as { tables: Record<string, unknown> };
    delete parsed.tables['public.stamps'];
    writeFileSync(path, JSON.stringify(parsed));
    expect(newFiles()).toHaveLength(1);
  });

  test('end with the hand-written rules as they are', () => {
    const written = readFileSync(join(ROOT, 'db', 'rules', `${tree}.sql`), 'utf8');
    expect(readFileSync(join(folder, '0001_rules.sql'), 'utf8')).toBe(written);
  });
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
