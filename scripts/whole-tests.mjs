/**
 * All tests in one run; those files that fail are run once more, one after the other, with nothing beside them. Six workers
 * with their chains, browsers and databases share a few cores, and what is late there says nothing of the code; what fails by
 * itself does. Both looks are printed. Books that do not hold are never forgiven, nor is a run in which much fails.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
/** In this many files a failure is no accident. */
const FILES_MAX = 12;
/** What tests throw when the ledger, the rows and the chain do not say the same (test/support). */
export const BOOKS_FAIL = 'the books do not hold';

/**
 * @typedef {{ assertionResults: { status: string; title: string; failureMessages: string[] | null }[]; name: string; status: string; message: string }} FileResult
 */

/** The exit code for the whole. */
export async function runAllTests() {
  const folder = mkdtempSync(join(tmpdir(), 'pennypost-results-'));
  try {
    const results = join(folder, 'results.json');
    const code = await runVitest(['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]);
    if (code === 0 || code > 1) return code;
    const failed = failedFiles(results);
    const files = failed.map(({ name }) => relative(process.cwd(), name));
    const verdict = judge(failed);
    process.stdout.write(`\nFailed beside the others:\n${files.map((file) => `  ${file}\n`).join('')}${verdict.why}\n`);
    if (!verdict.isLookedAtAgain) return code;
    const again = await runVitest(['--maxWorkers=1', ...files]);
    const outcome = again === 0 ? 'passed by themselves; one that is often here hides something' : 'failed';
    process.stdout.write(
      `\nLooked at again, with nothing beside them, these ${outcome}:\n${files.map((file) => `  ${file}\n`).join('')}`,
    );
    return again;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {readonly FileResult[]} failed
 * @returns {{ isLookedAtAgain: boolean; why: string }}
 */
export function judge(failed) {
  if (failed.length === 0) return { isLookedAtAgain: false, why: 'No test failed, but the run did.' };
  if (failed.length > FILES_MAX)
    return { isLookedAtAgain: false, why: `More than ${FILES_MAX} files: that is no accident.` };
  const messages = failed.flatMap(({ message, assertionResults }) => [
    message,
    ...assertionResults.flatMap(({ failureMessages }) => failureMessages ?? []),
  ]);
  if (messages.some((message) => message.includes(BOOKS_FAIL))) {
    return { isLookedAtAgain: false, why: 'Books did not hold, which no slowness explains.' };
  }
  return { isLookedAtAgain: true, why: 'They are run once more, with nothing beside them.' };
}

/**
 * @param {string} path
 * @returns {FileResult[]}
 */
function failedFiles(path) {
  const results = /** @type {{ testResults: FileResult[] }} */ (JSON.parse(readFileSync(path, 'utf8')));
  return results.testResults.filter(({ status }) => status === 'failed');
}

/**
 * @param {readonly string[]} args
 * @returns {Promise<number>}
 */
async function runVitest(args) {
  const child = spawn(process.execPath, [VITEST, 'run', ...args], { stdio: 'inherit' });
  // A terminal's Ctrl-C reaches the child by itself.
  const end = () => child.kill('SIGTERM');
  const ignore = () => undefined;
  process.on('SIGTERM', end).on('SIGINT', ignore);
  const [code] = /** @type {[number | null]} */ (await once(child, 'close'));
  process.off('SIGTERM', end).off('SIGINT', ignore);
  return code ?? 130;
}
