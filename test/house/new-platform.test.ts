/** What a platform takes: an invented one is added to a copy of this tree, compiled, paid and collected from. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { build } from 'esbuild';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { PLATFORM_NAMES, PLATFORMS } from '../../core/platforms/platforms.ts';
import { stopLocalMode } from '../../local/mode.ts';
import { startKillable, type Killable } from '../../scripts/torture/killable.ts';
import { createVisitor } from '../api/claims/visitor.ts';
import { submit } from '../identity/proofs/submit.ts';
import { NEW_ENTRIES, NEW_FILES } from './new-platform.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const HANDLE = 'alice.bsky.social';
const PAYOUT = `0x${'a1'.repeat(20)}`;
const payers = z.object({
  payers: z.array(z.object({ network: z.string(), privateKey: z.string().regex(/^0x/) })),
});

/** Not part of the program. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'test', 'docs', 'data', 'coverage', '.cache']);

let scratch: string;
let dataDir: string;
/** It starts while the compiler reads the same tree. */
let starting: Promise<Killable> | undefined;

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'pennypost-platform-'));
  dataDir = join(scratch, 'data');
  for (const name of readdirSync(ROOT)) {
    if (!LEFT_OUT.has(name)) cpSync(join(ROOT, name), join(scratch, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(scratch, 'node_modules'));
  for (const [path, text] of Object.entries(NEW_FILES)) plant(path, text);
  for (const [path, entries] of Object.entries(NEW_ENTRIES)) {
    const withAll = entries.reduce((text, entry) => insert(path, text, entry), readFileSync(join(ROOT, path), 'utf8'));
    plant(path, withAll);
  }
  leaveUnchecked();
  starting = startKillable({ root: scratch, dataDir, env: { NETWORKS: 'base', LOCAL_BLOCK_MS: '250' } });
  // Its failure is that of the test that waits for it.
  starting.catch(() => undefined);
});
afterAll(async () => {
  await starting?.then(
    ({ stop }) => stop(),
    () => undefined,
  );
  await stopLocalMode(dataDir);
  rmSync(scratch, { recursive: true, force: true });
});

function plant(path: string, text: string): void {
  mkdirSync(dirname(join(scratch, path)), { recursive: true });
  writeFileSync(join(scratch, path), text);
}

function insert(path: string, text: string, { after, add }: { after: string; add: string }): string {
  const at = text.indexOf(after);
  if (at < 0) throw new Error(`expected ${JSON.stringify(after)} in ${path}`);
  return text.slice(0, at + after.length) + add + text.slice(at + after.length);
}

/** The files in which the compiler finds something wrong, when it reads these and all that they import. */
async function findWrongFiles(name: string, files: readonly string[]): Promise<string[]> {
  plant(name, JSON.stringify({ extends: './tsconfig.json', include: files }));
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  // Threads check again what they share, and beside other tests they are no quicker.
  const options = ['--noEmit', '--pretty', 'false', '--singleThreaded', '-p', name];
  const output = await promisify(execFile)(tsc, options, { cwd: scratch }).then(
    () => '',
    (error: unknown) => z.object({ stdout: z.string().min(1) }).parse(error).stdout,
  );
  const wrong = [...output.matchAll(/^(\S+)\(\d+,\d+\): error/gm)].map(([, path = '']) => path);
  if (output !== '' && wrong.length === 0) throw new Error(`expected errors in files, found ${output}`);
  return [...new Set(wrong)].toSorted();
}

const COMMENTS = /(?<=^|\s)(?:\/\*[^]*?\*\/|\/\/.*)/gm;

/**
 * Half of the compiler's work is in files that say nothing of platforms: what is true of these, `npm run check` has found. They
 * are still read, and all others are checked as they are.
 */
function leaveUnchecked(): void {
  for (const path of readdirSync(scratch, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.ts') || path.startsWith('node_modules')) continue;
    const text = readFileSync(join(scratch, path), 'utf8');
    if (!/platform/i.test(text.replaceAll(COMMENTS, ''))) plant(path, `// @ts-nocheck\n${text}`);
  }
}

/** Tables as they are without it. */
const TABLES = ['identity/platforms/platforms.ts', 'local/identity/platforms/stand-ins.ts'];
const withoutIt = (path: string) => path.replace('.ts', '-without-it.ts');

test('three files, a line in each table of them and the names of its configuration are all it takes', async () => {
  expect(Object.keys(NEW_FILES)).toEqual([
    'core/platforms/bluesky.ts',
    'identity/platforms/bluesky.ts',
    'local/identity/platforms/bluesky.ts',
  ]);
  expect(Object.keys(NEW_ENTRIES)).toEqual(['core/platforms/platforms.ts', ...TABLES, '.env.example']);
  // In one look of the compiler: nothing is wrong with the whole, and a table without its line is named.
  for (const path of TABLES) cpSync(join(ROOT, path), join(scratch, withoutIt(path)));
  const wrong = await findWrongFiles('whole.json', ['main.ts', ...TABLES.map(withoutIt)]);
  expect(wrong).toEqual(TABLES.map(withoutIt));
  for (const path of TABLES) rmSync(join(scratch, withoutIt(path)));
});

test('it is paid and collected from: 402, payment, sign-in at its stand-in, payout', async () => {
  const service = await starting;
  if (service === undefined) throw new Error('nothing was started');
  try {
    const { receipt, status } = await payOne(service.url);
    expect(status).toBe('pending_claim');
    expect(await (await fetch(receipt)).text()).toContain(`bluesky:${HANDLE}`);
    await collect(service.url);
    expect(await service.stop()).toBe(0);
  } finally {
    await service.stop();
  }
});

async function payOne(url: string): Promise<{ receipt: string; status: string }> {
  const order = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ receiver: `@${HANDLE.toUpperCase()}`, amount: 0.25 }),
  };
  expect((await fetch(`${url}/payments/bsky/pay`, order)).status).toBe(402);
  const file = payers.parse(JSON.parse(readFileSync(join(dataDir, 'local/payers.json'), 'utf8')));
  const key = file.payers.find(({ network }) => network === 'base')?.privateKey ?? '';
  const client = registerExactEvmScheme(new x402Client(), { signer: privateKeyToAccount(key as `0x${string}`) });
  const paid = await wrapFetchWithPayment(fetch, client)(`${url}/payments/bluesky/pay`, order);
  const answer = z.object({ data: z.object({ receipt: z.string(), status: z.string() }) });
  return answer.parse(await paid.json()).data;
}

async function collect(url: string): Promise<void> {
  const visitor = createVisitor({
    request: (path, init) => fetch(new URL(path, url), { ...init, redirect: 'manual' }),
  });
  const claim = await visitor.opened('bluesky', HANDLE, { base: PAYOUT });
  const back = await submit(claim.oauth?.url ?? '', { username: HANDLE, decision: 'allow' });
  const { pathname, search } = new URL(back.headers.get('location') ?? '');
  expect((await visitor.ask(pathname + search)).status).toBe(303);
  const { data: proven } = (await visitor.prove(claim.claim_id)).body;
  expect(proven).toMatchObject({ status: 'verified', name: `bluesky:${HANDLE}`, total: 0.25 });
  await visitor.confirm(claim.claim_id, proven.confirm_token);
  await expect.poll(async () => (await visitor.read(claim.claim_id)).body.data.status).toBe('paid');
}

test('its names of the configuration are read, and the example file shows them', async () => {
  const entryPoints = [join(scratch, 'core/config/variables.ts')];
  const outfile = join(scratch, 'variables.mjs');
  const options = { bundle: true, platform: 'node', format: 'esm', packages: 'external' } as const;
  await build({ ...options, entryPoints, outfile, logLevel: 'silent' });
  const script = `import('./variables.mjs').then((read) => console.log(read.VARIABLE_NAMES.join(' ')))`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { cwd: scratch });
  const shown = readFileSync(join(scratch, '.env.example'), 'utf8').matchAll(/^#([A-Z][A-Z0-9_]*)=/gm);
  expect(new Set([...shown].map(([, name]) => name))).toEqual(new Set(stdout.trim().split(' ')));
  expect(stdout).toContain('BLUESKY_CLIENT_ID');
});

test('no code asks which platform it has before it: what differs is in the rows', () => {
  const names = PLATFORM_NAMES.flatMap((name) => [name, ...PLATFORMS[name].aliases]).join('|');
  const question = new RegExp(`\\bplatform [!=]==? '(?:${names})'|switch \\((?:\\w+\\.)*platform\\)`);
  expect("if (line.platform === 'email') return").toMatch(question);
  expect('switch (recipient.platform) {').toMatch(question);
  const own = /^(?:core|identity|local\/identity)\/platforms\//;
  const code = readdirSync(scratch, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.m?ts$/.test(path) && !path.startsWith('node_modules') && !own.test(path),
  );
  expect(code.length).toBeGreaterThan(1_000);
  expect(code.filter((path) => question.test(readFileSync(join(scratch, path), 'utf8')))).toEqual([]);
});
