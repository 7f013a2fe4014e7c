import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { plotOf } from './plot.ts';
import { runProgram, toldTo } from './program.ts';
import { forgetResults, isLike, readResult, treeOf, writeResult, type Result } from './results.ts';
import { ROWS, type Place } from './rows.ts';
import { tableOf, withTable } from './table.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGE = join(ROOT, 'docs', 'performance.md');
const PLOT = join(ROOT, 'docs', 'images', 'performance.svg');

/**
 * Measures each row by its own name, in a process of its own, and writes the table and the plot of `docs/performance.md`
 * after each. A row that fails is named at the end, and the others are measured all the same. Answers the exit code.
 */
export async function runAll(words: readonly string[]): Promise<number> {
  const done: Result[] = [];
  const failed: string[] = [];
  for (const [name, place] of Object.entries(ROWS)) {
    const [before, now] = [readResult(name), { tree: treeOf(), told: toldTo(place, words).join(' ') }];
    if (before?.ended === true && isLike(before, now)) {
      console.log(`${name}: measured before`);
      done.push(before);
      continue;
    }
    console.log(`\n${name}`);
    const result = await measure(name, place, words);
    if (result === null) failed.push(name);
    else done.push(result);
    writePage(done);
  }
  if (failed.length > 0) {
    console.error(`failed: ${failed.join(', ')}; the same command measures what is missing`);
    return 1;
  }
  forgetResults();
  return 0;
}

function writePage(done: readonly Result[]): void {
  mkdirSync(dirname(PLOT), { recursive: true });
  writeFileSync(PLOT, plotOf(done));
  writeFileSync(PAGE, withTable(readFileSync(PAGE, 'utf8'), tableOf(done)));
}

/** Null where it failed. What a row keeps by itself is its result; of one that only prints, what it printed. */
async function measure(name: string, place: Place, words: readonly string[]): Promise<Result | null> {
  // Before it runs: a commit that is made meanwhile is not what was measured.
  const now = { tree: treeOf(), told: toldTo(place, words).join(' ') };
  let output = '';
  const code = await runProgram(name, place, words, (text) => {
    output += text;
    process.stdout.write(text);
  });
  if (code !== 0) return null;
  const kept = readResult(name);
  if (kept !== null && isLike(kept, now)) return kept;
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const printed = { name, ...now, about: '', read: '', rounds: [], lines, ended: true };
  writeResult(printed);
  return printed;
}
