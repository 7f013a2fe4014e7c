/**
 * `npm run mutants -- 20 [--seed s] [--files 'db/**'] [--out FILE]`: makes single changes in the money code and prints
 * those that no test notices. An interrupted run goes on when it is started again. `--compare A B` compares the results
 * of two runs and fails where the second misses a mutant that the first killed.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { readTree } from './house/tree.ts';
import { chooseMutants, globPattern, lostParts } from './mutants/choose.ts';
import { formatResults, lostSince, readResults } from './mutants/results.ts';
import { runMutants } from './mutants/run.ts';

const LIMIT_MS = 60_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    files: { type: 'string' },
    out: { type: 'string' },
    compare: { type: 'boolean', default: false },
  },
});
if (values.compare) compare(positionals[0] ?? '', positionals[1] ?? '');
else await tryMutants(Number(positionals[0] ?? '20'));

async function tryMutants(count: number): Promise<void> {
  const root = process.cwd();
  const { files, texts } = readTree(root);
  for (const { path, slices } of lostParts(files))
    console.log(`moved or gone, see money-code.ts: ${path} or ${slices.join()}`);
  const out = values.out ?? `.cache/mutants/${values.seed}-${commitOf(root)}.jsonl`;
  const chosen = chooseMutants(texts, values.seed, values.files === undefined ? null : globPattern(values.files));
  const wanted = chosen.slice(0, count);
  const known = readResults(out);
  const left = wanted.filter(({ id }) => !known.some((result) => result.id === id));
  console.log(`${wanted.length} of ${chosen.length} mutants, ${left.length} to try; results in ${out}`);
  await runMutants(left, { root, files, out, limitMs: LIMIT_MS, log: (line) => console.log(line) });
  const ids = new Set(wanted.map(({ id }) => id));
  console.log(`\n${formatResults(readResults(out).filter(({ id }) => ids.has(id)))}`);
}

function compare(before: string, after: string): void {
  const lost = lostSince(readResults(before), readResults(after));
  console.log(
    lost.length > 0
      ? `Killed before, and no more:\n${lost.join('\n')}`
      : 'All mutants that were killed before still are.',
  );
  if (lost.length > 0) process.exitCode = 1;
}

function commitOf(root: string): string {
  return spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout.trim();
}
