import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Mutant } from './choose.ts';
import { mutate } from './mutations.ts';
import { appendResult, type MutantResult, type Outcome } from './results.ts';
import { runTests, type TestRun } from './test-run.ts';

/** Without a mutant all tests run to their end, so they may take longer than with one that they notice. */
const CONTROL_LIMIT_MS = 240_000;

export type Run = {
  /** The checkout. Nothing in it is changed. */
  root: string;
  files: readonly string[];
  out: string;
  log: (line: string) => void;
  /** For all tests of one mutant. */
  limitMs: number;
};

/** Tries each mutant in a copy of the tree, and writes each result at once. */
export async function runMutants(mutants: readonly Mutant[], run: Run): Promise<void> {
  const tree = copyTree(run);
  try {
    const controls = new Map<string, TestRun>();
    for (const [index, mutant] of mutants.entries()) {
      const control = await runControl(tree, mutant, controls);
      const startedMs = Date.now();
      const outcome = control === 'passed' ? await tryMutant(tree, mutant, run.limitMs) : 'untested';
      const seconds = Math.round((Date.now() - startedMs) / 1_000);
      const { id, file, line, change } = mutant;
      appendResult(run.out, { id, file, line, change, outcome, seconds } satisfies MutantResult);
      run.log(`${index + 1}/${mutants.length} ${outcome} (${seconds} s)  ${file}:${line}  ${change}`);
    }
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

/** Tests that fail by themselves would kill every mutant, so each choice of tests runs once without one. */
async function runControl(tree: string, mutant: Mutant, controls: Map<string, TestRun>): Promise<TestRun> {
  const tests = [...new Set([...mutant.mirrored, mutant.slice])];
  const control = controls.get(tests.join()) ?? (await runTests(tree, tests, CONTROL_LIMIT_MS));
  controls.set(tests.join(), control);
  return control;
}

async function tryMutant(tree: string, mutant: Mutant, limitMs: number): Promise<Outcome> {
  const path = join(tree, mutant.file);
  const text = readFileSync(path, 'utf8');
  const endMs = Date.now() + limitMs;
  writeFileSync(path, mutate(text, mutant));
  // What is near kills most mutants, and is quick.
  let result = await runTests(tree, mutant.mirrored, limitMs);
  if (result === 'passed') result = await runTests(tree, [mutant.slice], endMs - Date.now());
  writeFileSync(path, text);
  return result === 'passed' ? 'survived' : result === 'failed' ? 'killed' : 'timed out';
}

function copyTree({ root, files }: Run): string {
  const tree = mkdtempSync(join(tmpdir(), 'pennypost-mutants-'));
  for (const file of files) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    cpSync(join(root, file), join(tree, file));
  }
  symlinkSync(resolve(root, 'node_modules'), join(tree, 'node_modules'));
  return tree;
}
