import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { stopLocalMode } from '../../local/mode.ts';
import { spawnKillable } from '../../scripts/torture/killable.ts';
import { ROLES } from '../../core/config/config.ts';
import { hashOf, releaseOf, writePass } from '../../service/doctor/pass.ts';
import { loadConfig } from '../../service/keystore/load.ts';
import { compileProgram } from '../support/compiled-program.ts';

const ROOT = join(import.meta.dirname, '../..');
const SECRET = 'ab'.repeat(32);
const compiled = await compileProgram(join(ROOT, 'main.ts'));
/** Without Solana, which starts a process more and changes nothing here. */
const ON_BASE = { NETWORKS: 'base' };
let dataDir: string;

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'pennypost-start-'));
});
afterAll(async () => {
  await stopLocalMode(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
});

/** Runs main.ts until it ends by itself; what it wrote to stderr, and its exit code. */
async function startAndFail(env: Record<string, string>, args: string[] = []) {
  const child = spawn(process.execPath, [compiled, ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', DATA_DIR: dataDir, PORT: '0', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  // Not 'exit': what it wrote may still be in the pipe then.
  await once(child, 'close');
  return { code: child.exitCode, lines: text.trim().split('\n') };
}

const testnet = {
  NETWORK_MODE: 'testnet',
  NETWORKS: 'base',
  BASE_RPC_URL: 'http://127.0.0.1:9/key-4711',
  TREASURY_KEY: `0x${SECRET}`,
  LANE_KEYS: `0x${'cd'.repeat(32)}`,
  CHAT_WALLET_SEED: 'ef'.repeat(32),
  BOT_API_TOKEN: 'x'.repeat(40),
  OPERATOR_NAME: 'The test',
  SUPPORT_URL: 'https://example.com/help',
  TERMS_URL: 'https://example.com/terms',
};

/** One of each kind; every wrong value and its words are in test/core/config. */
describe('a start that cannot work ends with one line that says why', () => {
  const cases: [string, Record<string, string>, string[], RegExp][] = [
    ['an unknown role', {}, ['server'], /^Unknown argument server\. Known: api, worker, bot/],
    ['a failpoint with real keys', { ...testnet, FAILPOINT: 'accept.before-claim' }, [], /local mode only/],
    [
      'a folder that cannot be made',
      { DATA_DIR: '/dev/null/x' },
      [],
      /^DATA_DIR is \/dev\/null\/x, where no folder can/,
    ],
  ];
  test.concurrent.each(cases)('%s', async (_name, env, args, expected) => {
    const { code, lines } = await startAndFail(env, args);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(expected);
    expect(lines[0]).not.toMatch(/key-4711|abab/);
    expect(code).toBe(1);
  });

  test.concurrent('a port in use', async () => {
    const squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const { port } = squatter.address() as AddressInfo;
    const { code, lines } = await startAndFail({ PORT: String(port) });
    expect(lines).toEqual([`Port ${port} on 127.0.0.1 is in use. Stop what listens there, or set PORT to another.`]);
    expect(code).toBe(1);
    squatter.close();
  });
});

describe('with real money', () => {
  const dir = mkdtempSync(join(tmpdir(), 'pennypost-mainnet-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  const mainnet = {
    ...testnet,
    NETWORK_MODE: 'mainnet',
    BASE_URL: 'https://pay.example.com',
    DATA_DIR: dir,
    PORT: '0',
  };

  test('it starts with a pass of the doctor alone', async () => {
    const { code, lines } = await startAndFail(mainnet);
    expect([code, lines.length]).toEqual([1, 1]);
    expect(lines[0]).toMatch(/^NETWORK_MODE=mainnet starts only with a pass, and no doctor has approved this/);
    const config = loadConfig(mainnet);
    const pass = { roles: [...ROLES], atMs: Date.now(), tokens: {}, restoredAtMs: null };
    await writePass(config, { ...pass, hash: hashOf(config, releaseOf(ROOT)) });
    const { PATH = '', HOME = '' } = process.env;
    const running = spawn(process.execPath, [compiled], { cwd: ROOT, env: { PATH, HOME, ...mainnet } });
    let said = '';
    for (const lines of [running.stdout, running.stderr])
      lines.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const offers = /pennypost on mainnet:.*network\s+Base\s+offered/s;
    await vi.waitFor(() => expect(said).toMatch(offers), { timeout: 60_000 });
    running.kill('SIGKILL');
  });
});

/** The second finds the books of the first. */
describe('local mode', () => {
  test('says first that it is play money; a fault that nothing handles ends it, with one line here, and in the log without the values', async () => {
    const fault = `process.once('SIGUSR2', () => {
      Promise.reject(new Error('Failed query: select 1\\nparams: canary' + '-of-a-fault'));
    });`;
    const nodeArguments = [`--import=data:text/javascript,${encodeURIComponent(fault)}`];
    const running = spawnKillable({ dataDir, env: ON_BASE, nodeArguments });
    let told = '';
    running.process.stderr?.on('data', (chunk: Buffer) => (told += chunk.toString()));
    const url = await running.listening;
    expect(url, running.output()).not.toBe(null);
    expect(running.output().split('\n')[0]).toMatch(/^PLAY MONEY: nothing here is real/);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    const closed = once(running.process, 'close');
    running.process.kill('SIGUSR2');
    expect(await closed).toEqual([1, null]);
    expect(told).toBe('Ended by a fault that nothing handled: the log says which.\n');
    const logged = readFileSync(join(dataDir, 'pennypost.log'), 'utf8').split('\n');
    const [last = ''] = logged.filter((line) => line.includes('a fault that nothing handled'));
    expect(last).toContain('Failed query: select 1');
    expect(last).not.toContain('canary-of-a-fault');
  });

  test('refuses books of a chain that is gone and names --reset', async () => {
    // The fault has left it running.
    await stopLocalMode(dataDir);
    rmSync(join(dataDir, 'local', 'base'), { recursive: true, force: true });
    const { code, lines } = await startAndFail(ON_BASE);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/npm start -- --reset/);
    expect(code).toBe(1);
  });
});
