import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { holdDataDir } from '../../../local/processes/data-dir.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'pennypost-held-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('a second instance is refused in one line that names the process; roles apart are not', async () => {
  const release = await holdDataDir(dir, ['api', 'worker']);
  await expect(holdDataDir(dir, ['worker'])).rejects.toThrow(
    new RegExp(`^Process ${process.pid} runs as worker on .* already: end it, or .*$`),
  );
  await (
    await holdDataDir(dir, ['bot'])
  )();
  // Refused for its second role, it has left the first to others.
  await expect(holdDataDir(dir, ['bot', 'api'])).rejects.toThrow('runs as api');
  await (
    await holdDataDir(dir, ['bot'])
  )();
  await release();
  await (
    await holdDataDir(dir, ['api', 'worker'])
  )();
});

test('a directory whose path is too long for a socket is held all the same', async () => {
  const long = join(dir, 'd'.repeat(120));
  mkdirSync(long);
  const release = await holdDataDir(long, ['api']);
  await expect(holdDataDir(long, ['api'])).rejects.toThrow('already');
  await release();
});

test('what a killed process held is free', async () => {
  const code = `require('node:net').createServer().listen('${join(dir, 'api.sock')}', () => console.log('held'))`;
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  await expect(holdDataDir(dir, ['api'])).rejects.toThrow('Another process runs as api');
  child.kill('SIGKILL');
  await once(child, 'exit');
  await (
    await holdDataDir(dir, ['api'])
  )();
});
