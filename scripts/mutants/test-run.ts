import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const STOP_WITHIN_MS = 10_000;

export type TestRun = 'passed' | 'failed' | 'timed out';

/** Runs test files in a tree until the first one fails. No test means passed. */
export async function runTests(root: string, files: readonly string[], limitMs: number): Promise<TestRun> {
  if (files.length === 0) return 'passed';
  if (limitMs <= 0) return 'timed out';
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--bail=1', '--reporter=dot', ...files], {
    cwd: root,
    stdio: 'ignore',
    // A slice may be a torture's, in its smallest size.
    env: { ...process.env, PENNYPOST_TORTURE: '1' },
  });
  const ended = new Promise<number | null>((done, failed) => child.on('error', failed).on('close', done));
  const timer = new AbortController();
  const late = sleep(limitMs, 'late' as const, { signal: timer.signal }).catch(() => null);
  const first = await Promise.race([ended, late]);
  timer.abort();
  if (first !== 'late') return first === 0 ? 'passed' : 'failed';
  await stop(child, ended);
  return 'timed out';
}

/** Tests start chains and servers in sessions of their own, so they are found through their parent process. */
async function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  const ids = child.pid === undefined ? [] : descendantsOf(child.pid);
  child.kill('SIGTERM');
  await Promise.race([ended, sleep(STOP_WITHIN_MS)]);
  for (const id of ids) {
    try {
      process.kill(id, 'SIGKILL');
    } catch {
      // It has already ended.
    }
  }
  await ended;
}

function descendantsOf(parent: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  const below = (id: number): number[] =>
    rows.flatMap(([pid, ppid]) => (ppid === id && pid ? [...below(pid), pid] : []));
  return [...below(parent), parent];
}
