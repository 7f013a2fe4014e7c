/** What `docs/agents.md` shows is what runs here, against the whole service. */
import { execFile, spawn } from 'node:child_process';
import { once as untilEvent } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { Client } from 'mcp-v1/client/index.js';
import { StdioClientTransport } from 'mcp-v1/client/stdio.js';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../scripts/torture/eventually.ts';
import type { Service } from '../../service/start.ts';
import { compileProgram } from '../support/compiled-program.ts';
import { startLocalService } from '../support/local-service.ts';
import { findQuietPort } from '../support/quiet-port.ts';

const ROOT = join(import.meta.dirname, '../..');
const EXAMPLES = join(ROOT, 'docs/examples');
const payers = z.object({
  rpc: z.object({ base: z.string(), solana: z.string() }),
  payers: z.array(z.object({ network: z.string(), address: z.string(), privateKey: z.string() })),
});

const registered = z.object({ data: z.object({ endpoint_id: z.string(), secret: z.string() }) });

let dataDir: string;
let service: Service;
let environment: Record<string, string>;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'pennypost-docs-'));
  service = await startLocalService({ dataDir });
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
    TRANSFER: `node ${await compileProgram(join(ROOT, 'test/docs/transfer.ts'))}`,
  };
}, 120_000);

afterAll(async () => {
  await service?.close();
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
  const { stdout } = await execute('node', ['scripts/packages/make.mjs', cwd, 'cli'], { cwd: ROOT });
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
/** They belong together, and the first does not end by itself. */
const RECEIVING = ['receive-events.mjs', 'register-events.mjs'];

test('every example is shown in the document word for word, and every one is run', () => {
  const document = readFileSync(join(ROOT, 'docs/agents.md'), 'utf8');
  const files = readdirSync(EXAMPLES);
  expect(files.sort()).toEqual([...Object.keys(shown), ...RECEIVING].sort());
  for (const file of files) {
    expect([file, document.includes(`\n${readFileSync(join(EXAMPLES, file), 'utf8')}\`\`\``)]).toEqual([file, true]);
  }
});

test.concurrent.each(Object.entries(shown))('%s does what it says', async (name, expected) => {
  const place = name === 'command-line.sh' ? await installed() : {};
  expect(await run(name, place)).toMatch(expected);
});

test.concurrent('the installed package is a local MCP server for a host', async () => {
  const { cwd, env } = await installed();
  const client = new Client({ name: 'host', version: '1.0.0' });
  const own = { ...environment, ...env, PENNYPOST_HOME: join(dataDir, 'host') };
  const command = { command: 'pennypost', args: ['mcp', '--dry-run'], cwd, env: own };
  await client.connect(new StdioClientTransport(command));
  try {
    const priced = await client.callTool({ name: 'send_usdc', arguments: { recipient: 'x:alice', amount: '0.25' } });
    expect(JSON.stringify(priced.content)).toContain('0.25');
    expect(priced.isError).not.toBe(true);
  } finally {
    await client.close();
  }
});

/** Answers what it prints from now on. */
async function startReceiver(
  port: number,
  env: Record<string, string>,
): Promise<{ lines: string[]; end: () => Promise<void> }> {
  const child = spawn('node', [join(EXAMPLES, 'receive-events.mjs')], {
    cwd: ROOT,
    env: { PATH: environment['PATH'], PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  await eventually(async () => void (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: '{"data":{}}' })));
  const end = async () => {
    const ended = untilEvent(child, 'exit');
    child.kill();
    await ended;
  };
  return { lines, end };
}

test('a receiver of twenty lines registers, verifies what it is told, and refuses what it cannot', async () => {
  expect(readFileSync(join(EXAMPLES, 'receive-events.mjs'), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(
    20,
  );
  const port = await findQuietPort();
  const url = `http://127.0.0.1:${port}/events`;
  const open = await startReceiver(port, {});
  const answer = await run('register-events.mjs', { env: { EVENTS_URL: url } });
  await open.end();
  const { data } = registered.parse(JSON.parse(answer));
  const receiver = await startReceiver(port, { PENNYPOST_EVENT_SECRET: data.secret });
  try {
    const signer = privateKeyToAccount(environment['PENNYPOST_BASE_KEY'] as `0x${string}`);
    const pay = wrapFetchWithPayment(fetch, registerExactEvmScheme(new x402Client(), { signer }));
    const paid = await pay(`${service.url}/payments/x/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'event-endpoint': data.endpoint_id },
      body: JSON.stringify({ receiver: 'alice', amount: 0.25 }),
    });
    const { txn_id: txnId } = ((await paid.json()) as { data: { txn_id: number } }).data;
    await eventually(async () => expect(receiver.lines).toContain(`payment.settled ${txnId}`));
    const forged = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' };
    expect((await fetch(url, { method: 'POST', headers: forged, body: '{}' })).status).toBe(400);
  } finally {
    await receiver.end();
  }
});
