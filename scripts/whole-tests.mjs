/**
 * All tests in one run, compiled together (test/support/compiled-program.ts); those files that fail are run once more, from
 * their sources and one after the other, with nothing beside them. Workers with their chains, browsers and databases share
 * a few cores, and what is late there says nothing of the code; what fails by itself does. Both looks are printed. Books that
 * do not hold are never forgiven, nor is a run in which much fails.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
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
    const code = await runVitest(reportTo(results), { PENNYPOST_COMPILED_TESTS: '1' });
    if (code === 0 || code > 1) return code;
    const failed = failedFiles(results);
    const files = failed.map(shortName);
    const verdict = judge(failed);
    process.stdout.write(`\nFailed beside the others:\n${files.map((file) => `  ${file}\n`).join('')}${verdict.why}\n`);
    if (!verdict.isLookedAtAgain) return code;
    const secondResults = join(folder, 'second-results.json');
    const again = await runVitest([...reportTo(secondResults), '--maxWorkers=1', ...files]);
    const found = again === 1 && existsSync(secondResults) ? failedFiles(secondResults) : [];
    // No file is cleared by a look that failed without saying where.
    const failedAgain = again !== 0 && found.length === 0 ? failed : found;
    process.stdout.write(`\n${saidOfSecond(failed, failedAgain)}`);
    return again;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} path */
const reportTo = (path) => ['--reporter=default', '--reporter=json', `--outputFile.json=${path}`];
/** @param {FileResult} result */
const shortName = ({ name }) => relative(process.cwd(), name);

/**
 * A file that passes now failed beside the others or because it was compiled: which of the two is not known.
 *
 * @param {readonly FileResult[]} failed
 * @param {readonly FileResult[]} failedAgain
 */
export function saidOfSecond(failed, failedAgain) {
  const names = new Set(failedAgain.map(({ name }) => name));
  const passed = failed.filter(({ name }) => !names.has(name));
  /** @param {string} what @param {readonly FileResult[]} results */
  const line = (what, results) => (results.length === 0 ? '' : `${what}: ${results.map(shortName).join(' ')}\n`);
  return (
    line('FAILED AGAIN, from sources and with nothing beside', failedAgain) +
    line('FAILED COMPILED, PASSED FROM SOURCES (one that is often here hides something)', passed)
  );
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
 * @param {Record<string, string>} [env] beside our own
 * @returns {Promise<number>}
 */
async function runVitest(args, env = {}) {
  const child = spawn(process.execPath, [VITEST, 'run', ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  // A terminal's Ctrl-C reaches the child by itself.
  const end = () => child.kill('SIGTERM');
  const ignore = () => undefined;
  process.on('SIGTERM', end).on('SIGINT', ignore);
  const [code] = /** @type {[number | null]} */ (await once(child, 'close'));
  process.off('SIGTERM', end).off('SIGINT', ignore);
  return code ?? 130;
}
