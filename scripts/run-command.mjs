import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A failure whose text is for the person at the terminal: it is printed without a stack. */
export class SetupError extends Error {}

const TOLD_EVERY_MS = 10_000;

/**
 * Runs one command without a terminal; its output is shown only when it fails, and then only the end. Meanwhile it is told how
 * long it has taken.
 * @param {string[]} command
 * @param {Record<string, string>} environment added to our own
 * @param {number} timeoutMs
 * @param {{ log?: (line: string) => void, everyMs?: number }} [telling]
 * @returns {Promise<void>}
 */
export function run([program = '', ...args], environment, timeoutMs, { log = () => {}, everyMs = TOLD_EVERY_MS } = {}) {
  const startedMs = performance.now();
  const seconds = () => Math.round((performance.now() - startedMs) / 1_000);
  return new Promise((done, failed) => {
    const telling = setInterval(() => log(`… ${seconds()} s`), everyMs);
    const child = spawn(program, args, {
      cwd: ROOT,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
    });
    let output = '';
    const keep = (/** @type {Buffer} */ chunk) => (output = (output + chunk.toString()).slice(-20_000));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', () => clearInterval(telling));
    child.on('close', () => clearInterval(telling));
    child.on('error', (error) => failed(new SetupError(`${program} does not start: ${error.message}`)));
    child.on('close', (code, signal) => {
      if (code === 0) return done();
      const title = `${[program, ...args].join(' ')} failed (${signal ?? `code ${code}`}):`;
      return failed(new SetupError(`${title}\n${shorten(output)}`));
    });
  });
}

/**
 * npm says first what is wrong and then much else; a compiler says it last. So both ends are kept.
 * @param {string} output
 */
function shorten(output) {
  const lines = output.trim().split('\n');
  if (lines.length <= 24) return lines.join('\n');
  return [...lines.slice(0, 8), '…', ...lines.slice(-15)].join('\n');
}
