import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Mutant } from './choose.ts';
import { mutate } from './mutations.ts';
import { appendResult, type MutantResult, type Outcome } from './results.ts';
import { runTests, type TestRun } from './test-run.ts';

/**
 * Without a mutant all tests run to their end, so the control may take longer than a run that stops at the first
 * failure.
 */
const CONTROL_LIMIT_MS = 240_000;

const OUTCOMES = { passed: 'survived', 'timed out': 'timed out' } as const;

export type Run = {
  /** The checkout. Nothing in it is changed. */
  root: string;
  files: readonly string[];
  out: string;
  log: (line: string) => void;
  /** For all tests of one mutant together. */
  limitMs: number;
};

/** Tries each mutant in a copy of the tree, and writes each result at once. */
export async function runMutants(mutants: readonly Mutant[], run: Run): Promise<void> {
  const tree = copyTree(run);
  const controls = new Map<string, TestRun>();
  try {
    for (const [index, mutant] of mutants.entries()) {
      const startedMs = Date.now();
      const { result, tests } = await tryMutant(tree, mutant, run.limitMs);
      const seconds = Math.round((Date.now() - startedMs) / 1_000);
      const outcome = result === 'failed' ? await outcomeOfFailure(tree, tests, controls) : OUTCOMES[result];
      const { id, file, line, change } = mutant;
      appendResult(run.out, { id, file, line, change, outcome, seconds } satisfies MutantResult);
      run.log(`${index + 1}/${mutants.length} ${outcome} (${seconds} s)  ${file}:${line}  ${change}`);
    }
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

/** Answers with the tests that decided. The nearest tests kill most mutants and are quick, so they run first. */
async function tryMutant(
  tree: string,
  mutant: Mutant,
  limitMs: number,
): Promise<{ result: TestRun; tests: readonly string[] }> {
  const path = join(tree, mutant.file);
  const text = readFileSync(path, 'utf8');
  const endMs = Date.now() + limitMs;
  writeFileSync(path, mutate(text, mutant));
  const near = await runTests(tree, mutant.mirrored, limitMs);
  const result = near === 'passed' ? await runTests(tree, mutant.slices, endMs - Date.now()) : near;
  writeFileSync(path, text);
  return { result, tests: near === 'passed' ? mutant.slices : mutant.mirrored };
}

/** Tests that fail without a mutant prove nothing, so each failing set runs once without one. */
async function outcomeOfFailure(
  tree: string,
  tests: readonly string[],
  controls: Map<string, TestRun>,
): Promise<Outcome> {
  const control = controls.get(tests.join()) ?? (await runTests(tree, tests, CONTROL_LIMIT_MS));
  controls.set(tests.join(), control);
  return control === 'passed' ? 'killed' : 'untested';
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
