/** The service itself starts with a keystore, and says in one line why it does not. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { isAlive } from '../../../local/processes/process-id.ts';
import { compileProgram } from '../../support/compiled-program.ts';
import { createMachine } from '../operator/host.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PROGRAM = await compileProgram(join(ROOT, 'main.ts'));
let dir: string;
let env: Record<string, string>;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'pennypost-keystore-start-'));
  env = {
    NETWORK_MODE: 'testnet',
    NETWORKS: 'base',
    BASE_RPC_URL: 'http://127.0.0.1:9',
    BOT_API_TOKEN: 'x'.repeat(40),
    OPERATOR_NAME: 'The test',
    SUPPORT_URL: 'https://example.com/help',
    TERMS_URL: 'https://example.com/terms',
    DATA_DIR: join(dir, 'data'),
    PORT: '0',
    KEYSTORE: join(dir, 'keys.json'),
    KEYSTORE_PASSWORD_FILE: join(dir, 'password'),
  };
  writeFileSync(join(dir, 'password'), 'correct horse battery');
  writeFileSync(join(dir, 'wrong'), 'battery horse correct');
  await createMachine(env).operate('keystore-create', '--new');
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function start(more: Record<string, string>) {
  return spawn(process.execPath, [PROGRAM], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function startAndFail(more: Record<string, string>): Promise<string[]> {
  const child = start(more);
  child.stdout.resume();
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(child, 'close');
  return text.trim().split('\n');
}

test('with the right password it has every key, and waits; stopped while it waits it has stopped, not failed', async () => {
  const child = start({ DATABASE_URL: 'postgres://test@127.0.0.1:9/none' });
  let [written, failed] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (written += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (failed += chunk.toString()));
  const told = () => expect(written + failed).toContain('"Waiting for the database: ');
  await vi.waitFor(told, { timeout: 60_000, interval: 50 });
  const redis = Number(readFileSync(join(dir, 'data/redis/redis.pid'), 'utf8'));
  expect(isAlive(redis)).toBe(true);
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(failed).toBe('');
  expect(written).toContain('Stopping: what is under way is finished first.');
  expect(written).not.toContain('abort');
  expect(isAlive(redis), 'a service that is stopped while it waits takes its Redis along').toBe(false);
});

test('with another password it says so in one line', async () => {
  const lines = await startAndFail({ KEYSTORE_PASSWORD_FILE: join(dir, 'wrong') });
  expect(lines).toEqual([expect.stringContaining('cannot be opened: either the password')]);
});

test('with a file that lacks a key it names the key', async () => {
  const small = { ...env, KEYSTORE: join(dir, 'small.json'), TREASURY_KEY: `0x${'1'.repeat(64)}` };
  await createMachine(small).operate('keystore-create');
  const lines = await startAndFail({ KEYSTORE: small.KEYSTORE });
  expect(lines).toEqual([
    expect.stringContaining('LANE_KEYS is not set; required by the worker'),
    expect.stringContaining('CHAT_WALLET_SEED is not set; required by the bot'),
  ]);
});
