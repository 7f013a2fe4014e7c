import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withLock } from '../../../local/processes/directory-lock.ts';
import { isAlive } from '../../../local/processes/process-id.ts';

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pennypost-lock-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** Runs `count` holders at once and answers the most that were ever inside together. */
async function crowd(count: number): Promise<number> {
  let inside = 0;
  let most = 0;
  const holder = () =>
    withLock(dir, 'work', async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resume) => setImmediate(resume));
      inside -= 1;
    });
  await Promise.all(Array.from({ length: count }, holder));
  return most;
}

function deadPid(): number {
  const { pid } = spawnSync(process.execPath, ['--version']);
  expect(isAlive(pid)).toBe(false);
  return pid;
}

test('only one holder is inside at a time, and nothing is left behind', async () => {
  expect(await crowd(12)).toBe(1);
  expect(await readdir(dir)).toEqual([]);
});

test('the lock of a dead process is taken over by one of many', async () => {
  await writeFile(join(dir, 'work.lock.4'), String(deadPid()));
  expect(await crowd(8)).toBe(1);
  expect(await readdir(dir)).toEqual([]);
});

test('a lock that is older than any holder works is taken over, though its process id lives', async () => {
  await writeFile(join(dir, 'work.lock.1'), String(process.pid));
  const longAgo = new Date(Date.now() - 61_000);
  await utimes(join(dir, 'work.lock.1'), longAgo, longAgo);
  expect(await crowd(1)).toBe(1);
});

test('the lock is free again when the work throws', async () => {
  const failing = withLock(dir, 'work', () => Promise.reject(new Error('no luck')));
  await expect(failing).rejects.toThrow('no luck');
  expect(await withLock(dir, 'work', () => Promise.resolve('done'))).toBe('done');
});

test('locks of different names do not wait for each other', async () => {
  const inner = withLock(dir, 'outer', () => withLock(dir, 'inner', () => Promise.resolve('both')));
  expect(await inner).toBe('both');
});
