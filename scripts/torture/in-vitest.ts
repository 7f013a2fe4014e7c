import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Failpoint } from '../../core/failpoints.ts';
import { readFaults, type Outcome } from './faults.ts';

/**
 * What must fire; and what a slice narrows: where to kill, which tests of the files to run, and when it is ended because it
 * is stuck. All, and never, when left out. `isCompiled`: many follow each other, so the compiled tests are there sooner.
 */
export type Part = {
  named: readonly string[];
  points?: readonly Failpoint[];
  tests?: string;
  limitMs?: number;
  isCompiled?: boolean;
};

/** Runs the large counts of test files, and reads which faults it says have hit. */
export async function runInVitest(
  files: readonly string[],
  counts: Record<string, string>,
  part: Part,
): Promise<Outcome> {
  const dir = mkdtempSync(join(tmpdir(), 'pennypost-torture-'));
  const faults = join(dir, 'faults');
  writeFileSync(faults, '');
  const points = part.points === undefined ? {} : { TORTURE_POINTS: part.points.join(',') };
  const tests = part.tests === undefined ? [] : ['--testNamePattern', part.tests];
  const options = ['--testTimeout=21600000', '--disableConsoleIntercept', ...tests];
  try {
    const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...files, ...options], {
      env: {
        ...process.env,
        ...counts,
        ...points,
        PENNYPOST_TORTURE: '1',
        ...(part.isCompiled === true ? { PENNYPOST_COMPILED_TESTS: '1' } : {}),
        TORTURE_FAULTS: faults,
        TORTURE_NAMED: part.named.join(','),
      },
      stdio: ['inherit', 'pipe', 'pipe'],
      ...(part.limitMs === undefined ? {} : { timeout: part.limitMs }),
    });
    const ending = keepEnding(child.stdout, process.stdout);
    child.stderr.pipe(process.stderr, { end: false });
    await once(child, 'close');
    return { isExact: child.exitCode === 0, hits: readFaults(faults), ending: ending() };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const KEPT_CHARACTERS = 8_000;

/** Passes on what is printed, and keeps the end of it, where vitest says what failed. */
function keepEnding(from: Readable, to: NodeJS.WritableStream): () => string {
  let kept = '';
  from.setEncoding('utf8').on('data', (text: string) => {
    to.write(text);
    kept = (kept + text).slice(-KEPT_CHARACTERS);
  });
  return () => kept;
}
