import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type Place,
  readLivePid,
  spawnDetached,
  waitUntilEnded,
  waitUntilReady,
} from '../../../local/processes/detached-process.ts';

let place: Place;

beforeEach(async () => {
  place = { dir: await mkdtemp(join(tmpdir(), 'pennypost-detached-')), name: 'thing', title: 'the thing' };
});
afterEach(async () => {
  const pid = await readLivePid(place);
  if (pid !== null) process.kill(pid, 'SIGKILL');
  await rm(place.dir, { recursive: true, force: true });
});

const never = async () => null;

function run(script: string, input?: string): number {
  return spawnDetached(place, { program: '/bin/sh', arguments: ['-c', script], env: { GREETING: 'hello' }, input });
}

test('a process leads a session of its own, and is found by the number that it was started under', async () => {
  const pid = run('echo up; exec sleep 60');
  await waitUntilReady(place, pid, async (output) => (output === 'up\n' ? { output } : null));
  expect(await readLivePid(place)).toBe(pid);
  // The signals of a terminal go to the group; -pid names one only where the process leads it.
  process.kill(-pid, 'SIGTERM');
  await waitUntilEnded(place, pid);
  expect(await readLivePid(place)).toBe(null);
});

test('a process gets its input and the given variables, nothing of ours, and its output is for its owner only', async () => {
  const pid = run('cat; echo "$GREETING ${HOME:-nobody}"', 'input ');
  expect(await waitUntilReady(place, pid, never)).toEqual({ lastOutput: 'input hello nobody' });
  expect((await stat(join(place.dir, 'thing.log'))).mode & 0o777).toBe(0o600);
});

test('of a process that ends instead of getting ready, the last 300 characters are told', async () => {
  const first = run('echo from the run before');
  await waitUntilEnded(place, first);
  const pid = run('echo first; seq -s " " 1000; echo; echo sorry >&2');
  const ended = await waitUntilReady(place, pid, never);
  expect(ended).toEqual({ lastOutput: expect.stringMatching(/^.{289} 1000 sorry$/) });
  expect(await readFile(join(place.dir, 'thing.log'), 'utf8')).not.toContain('the run before');
});

test('a process that is not ready in time is named, and goes on', async () => {
  const pid = run('exec sleep 60');
  await expect(waitUntilReady(place, pid, never, 50)).rejects.toThrow(
    `the thing (process ${pid}) was not ready after 0.05 s`,
  );
  expect(await readLivePid(place)).toBe(pid);
});

test('where nothing was started, nothing is found', async () => {
  expect(await readLivePid(place)).toBe(null);
});
