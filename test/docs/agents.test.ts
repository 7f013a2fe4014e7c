/** What `docs/agents.md` shows is what runs here, against the whole service. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'mcp-v1/client/index.js';
import { StdioClientTransport } from 'mcp-v1/client/stdio.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { stopLocalMode } from '../../local/mode.ts';
import { startKillable, type Killable } from '../../scripts/torture/killable.ts';

const ROOT = join(import.meta.dirname, '../..');
const EXAMPLES = join(ROOT, 'docs/examples');
const payers = z.object({
  rpc: z.object({ base: z.string(), solana: z.string() }),
  payers: z.array(z.object({ network: z.string(), address: z.string(), privateKey: z.string() })),
});

let dataDir: string;
let service: Killable;
let environment: Record<string, string>;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'pennypost-docs-'));
  service = await startKillable({ dataDir });
  await ready(service.url);
  const { rpc, payers: keys } = payers.parse(JSON.parse(readFileSync(join(dataDir, 'local/payers.json'), 'utf8')));
  const keyOn = (network: string) => keys.find((payer) => payer.network === network)?.privateKey ?? '';
  environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: dataDir,
    PENNYPOST_HOME: join(dataDir, 'pennypost'),
    PENNYPOST_URL: service.url,
    PENNYPOST_BASE_KEY: keyOn('base'),
    PENNYPOST_SOLANA_KEY: keyOn('solana'),
    PENNYPOST_SOLANA_RPC_URL: rpc.solana,
    BASE_RPC_URL: rpc.base,
    NPM_CONFIG_UPDATE_NOTIFIER: 'false',
    TRANSFER: `node --import tsx ${join(ROOT, 'test/docs/transfer.ts')}`,
  };
}, 120_000);

afterAll(async () => {
  await service.stop();
  await stopLocalMode(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
});

async function ready(url: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await fetch(`${url}/health`)).ok) {
    if (Date.now() > deadline) throw new Error('not ready after a minute');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Runs an example as the document shows it; what it printed. */
async function run(name: string, more: { cwd?: string; env?: Record<string, string> } = {}): Promise<string> {
  const [command, ...args] = name.endsWith('.sh') ? ['bash', '-eu'] : ['node'];
  const options = { cwd: ROOT, ...more, env: { ...environment, ...more.env }, timeout: 170_000 };
  const { stdout } = await promisify(execFile)(command ?? '', [...args, join(EXAMPLES, name)], options);
  return stdout;
}

/** An empty folder with nothing but our package in it, installed from its tarball without a registry. */
const installed = once(async (): Promise<{ cwd: string; env: Record<string, string> }> => {
  const cwd = join(dataDir, 'empty');
  mkdirSync(cwd);
  const execute = promisify(execFile);
  const { stdout } = await execute('node', ['scripts/packages/make.mjs', cwd], { cwd: ROOT });
  const install = ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', stdout.trim()];
  await execute('npm', install, { cwd, env: environment });
  return { cwd, env: { PATH: `${join(cwd, 'node_modules/.bin')}:${environment['PATH'] ?? ''}` } };
});

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
}

const shown: Record<string, RegExp> = {
  'price.sh': /"x402Version":1.*"maxAmountRequired":"250000"/s,
  'fetch.mjs': /^200 .*amount: 1\.5.*receipt:/s,
  'fetch-solana.mjs': /^200 .*amount: 0\.5.*receipt:/s,
  'mpp.mjs': /^200 .*amount: 1\.5.*receipt:/s,
  'mcp.mjs': /txn_id: \d+.*amount: 0\.75/s,
  'a2a.mjs': /code: 200.*amount: 0\.5/s,
  'transfer.sh': /"status":"PAYMENT_CONFIRMED".*"amount":0\.25/s,
  'command-line.sh': /receipts\//,
};

test('every example is shown in the document word for word, and every one is run', () => {
  const document = readFileSync(join(ROOT, 'docs/agents.md'), 'utf8');
  const files = readdirSync(EXAMPLES);
  expect(files.sort()).toEqual(Object.keys(shown).sort());
  for (const file of files) {
    expect([file, document.includes(`\n${readFileSync(join(EXAMPLES, file), 'utf8')}\`\`\``)]).toEqual([file, true]);
  }
});

test.each(Object.entries(shown))('%s does what it says', async (name, expected) => {
  const place = name === 'command-line.sh' ? await installed() : {};
  expect(await run(name, place)).toMatch(expected);
});

test('the installed package is a local MCP server for a host', async () => {
  const { cwd, env } = await installed();
  const client = new Client({ name: 'host', version: '1.0.0' });
  const command = { command: 'pennypost', args: ['mcp', '--dry-run'], cwd, env: { ...environment, ...env } };
  await client.connect(new StdioClientTransport(command));
  try {
    const priced = await client.callTool({ name: 'send_usdc', arguments: { recipient: 'x:alice', amount: '0.25' } });
    expect(JSON.stringify(priced.content)).toContain('0.25');
    expect(priced.isError).not.toBe(true);
  } finally {
    await client.close();
  }
});
