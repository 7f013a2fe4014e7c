/** What was measured already, a file a row: so a row that was stopped goes on with its next round, and all rows with the next row. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = join(ROOT, '.cache', 'bench', 'rows');

const sampleSchema = z.object({
  what: z.string(),
  unit: z.string(),
  better: z.enum(['more', 'less']),
  ours: z.number(),
  beside: z.object({ name: z.string(), value: z.number() }).optional(),
  gate: z.object({ of: z.enum(['ours', 'ratio']), at: z.number() }).optional(),
});

const resultSchema = z.object({
  name: z.string(),
  /** Rounds of another tree, or of other counts, are not taken together. */
  tree: z.string(),
  told: z.string(),
  about: z.string(),
  read: z.string(),
  rounds: z.array(z.object({ load: z.number(), samples: z.array(sampleSchema) })),
  /** Of a row that only prints. */
  lines: z.array(z.string()),
  ended: z.boolean(),
});

export type Result = z.infer<typeof resultSchema>;

/** Of the same tree, told the same. */
export const isLike = (one: Pick<Result, 'tree' | 'told'>, other: Pick<Result, 'tree' | 'told'>): boolean =>
  one.tree === other.tree && one.told === other.told;

/** One that another version of the suite has written is none. */
export function readResult(name: string): Result | null {
  const file = fileOf(name);
  return existsSync(file) ? (resultSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? null) : null;
}

/** Whole or not at all: the row may be stopped at any moment. */
export function writeResult(result: Result): void {
  mkdirSync(FOLDER, { recursive: true });
  const file = fileOf(result.name);
  writeFileSync(`${file}.new`, JSON.stringify(result));
  renameSync(`${file}.new`, file);
}

export function forgetResults(): void {
  for (const file of existsSync(FOLDER) ? readdirSync(FOLDER) : []) rmSync(join(FOLDER, file));
}

/** The commit that is measured. */
export function treeOf(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
  } catch {
    return 'no commit';
  }
}

const fileOf = (name: string) => join(FOLDER, `${name}.json`);
