import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/**
 * `npm run db:generate`: writes both migration trees anew from the tables. As long as nothing is released each tree
 * is one initial migration plus the hand-written rules (triggers), so a change of a table is: edit db/tables (a new
 * table also in db/schema), run this, commit. A database made before then refuses to open; start over with an empty
 * one. After the first release migrations are only added (`npx drizzle-kit generate --config db/drizzle-….config.ts`)
 * and this file goes away.
 */
const TREES = [
  { name: 'sqlite', dialect: 'sqlite' },
  { name: 'pg', dialect: 'postgresql' },
] as const;
const DB = join(import.meta.dirname, '..', 'db');
const SQL_FILES = ['0000_initial.sql', '0001_rules.sql'];

for (const tree of TREES) {
  const target = join(DB, 'migrations', tree.name);
  const fresh = mkdtempSync(join(tmpdir(), 'migrations-'));
  generate(tree, fresh);
  // Equal text is left alone: the journal's times and the snapshot's ids differ on every run.
  if (SQL_FILES.every((file) => textOf(join(fresh, file)) === textOf(join(target, file)))) {
    console.log(`db/migrations/${tree.name}: no change`);
  } else {
    rmSync(target, { recursive: true, force: true });
    cpSync(fresh, target, { recursive: true });
    console.log(`db/migrations/${tree.name}: written`);
  }
  rmSync(fresh, { recursive: true });
}

function generate(tree: (typeof TREES)[number], out: string): void {
  const kit = join(import.meta.dirname, '..', 'node_modules', 'drizzle-kit', 'bin.cjs');
  const schema = `./db/schema/${tree.name}.ts`;
  const options = ['generate', '--dialect', tree.dialect, '--schema', schema, '--out', relative(process.cwd(), out)];
  const run = (...more: string[]) => execFileSync(process.execPath, [kit, ...options, ...more], { stdio: 'pipe' });
  run('--name', 'initial');
  run('--custom', '--name', 'rules');
  const rules = readFileSync(join(DB, 'rules', `${tree.name}.sql`), 'utf8');
  writeFileSync(join(out, '0001_rules.sql'), rules);
}

function textOf(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}
