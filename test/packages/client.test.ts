/** The package as it is handed out: installed from its tarball into an empty folder, and used as its README shows. */
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { COMMUNITY_AUTHOR, COMMUNITY_CAST_HASH } from '../../local/identity/farcaster-community.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import type { Service } from '../../service/start.ts';
import { startLocalService } from '../support/local-service.ts';

const ROOT = join(import.meta.dirname, '../..');
const README = readFileSync(join(ROOT, 'packages/client/README.md'), 'utf8');
const POST = `https://farcaster.xyz/${COMMUNITY_AUTHOR}/${COMMUNITY_CAST_HASH.slice(0, 10)}`;
const execute = promisify(execFile);
const payers = z.object({
  rpc: z.object({ solana: z.string() }),
  payers: z.array(z.object({ network: z.string(), address: z.string(), privateKey: z.string() })),
});

let dataDir: string;
let folder: string;
let service: Service;
let environment: Record<string, string>;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'pennypost-client-'));
  folder = join(dataDir, 'empty');
  mkdirSync(folder);
  environment = { PATH: process.env['PATH'] ?? '', HOME: dataDir, NPM_CONFIG_UPDATE_NOTIFIER: 'false' };
  await Promise.all([startOurs(), install()]);
  bring('viem');
}, 170_000);

async function startOurs(): Promise<void> {
  service = await startLocalService({ dataDir });
  await eventually(async () => {
    if (!(await fetch(`${service.url}/health`)).ok) throw new Error('it is not ready yet');
  });
  const { rpc, payers: keys } = payers.parse(JSON.parse(readFileSync(join(dataDir, 'local/payers.json'), 'utf8')));
  const keyOn = (network: string) => keys.find((payer) => payer.network === network)?.privateKey ?? '';
  environment = {
    ...environment,
    PENNYPOST_URL: service.url,
    PENNYPOST_BASE_KEY: keyOn('base'),
    PENNYPOST_SOLANA_KEY: keyOn('solana'),
    PENNYPOST_SOLANA_RPC_URL: rpc.solana,
  };
}

async function install(): Promise<void> {
  const { stdout } = await execute('node', ['scripts/packages/make.mjs', folder, 'client'], { cwd: ROOT });
  const args = ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', stdout.trim()];
  await execute('npm', args, { cwd: folder, env: environment });
}

afterAll(async () => {
  await service?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** What the README has its reader install beside it, in our own versions. */
function bring(name: string): void {
  const place = join(folder, 'node_modules', name);
  if (existsSync(place)) return;
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules', name), place);
}

let programs = 0;

async function run(code: string): Promise<string> {
  const file = join(folder, `tip-${(programs += 1)}.mjs`);
  writeFileSync(file, code);
  const { stdout } = await execute(process.execPath, [file], { cwd: folder, env: environment, timeout: 160_000 });
  return stdout;
}

/** The blocks of code in the README, in its order. */
const blocks = [...README.matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code);

test.concurrent('ten lines of the README tip a name, as they stand', async () => {
  const [tip = ''] = blocks;
  expect(tip.trim().split('\n').length).toBeLessThanOrEqual(10);
  const first = await run(tip);
  expect(first).toMatch(/^0\.25 USDC sent successfully.*\/receipts\//s);
  // Another process, with nothing in its memory: to the service its id makes it the same payment.
  expect(await run(tip)).toBe(first);
});

test.concurrent('the rest of what it offers works against the service; a reward is shared out, paid once, and read again', async () => {
  const said: unknown = JSON.parse(
    await run(`${(blocks[0] ?? '').replace(/const \{ message.*/s, '')}
    const { lines: [alice, bob] } = await pennypost.batch([
      { to: 'farcaster:nobody-yet', amount: '1' }, { to: 'bob@example.com', amount: '0.5' }]);
    const link = await fetch(pennypost.claimLink('github:octocat'));
    const waited = await pennypost.waitFor(bob.txnId, { until: ['pending_claim'], limitMs: 60_000 });
    const validated = await pennypost.validate(bob.txnId);
    const back = await pennypost.cancel(bob.txnId);
    const again = await pennypost.cancel(bob.txnId);
    const unknown = await pennypost.validate(1).catch(({ kind, reason }) => ({ kind, reason }));
    const nobody = await pennypost.pay('nowhere:alice', '1').catch(({ kind, reason }) => ({ kind, reason }));
    const reward = await pennypost.createReward({ post: '${POST}', budget: '5', maxRecipients: 3 });
    const rewarded = [await pennypost.payReward(reward), await pennypost.payReward(reward), await pennypost.reward(reward.id)];
    console.log(JSON.stringify({
      alice, bob, link: link.status, waited, validated, back, again, unknown, nobody, reward, rewarded }));`),
  );
  expect(said).toMatchObject({
    alice: { amount: 1 },
    bob: { amount: 0.5, status: 'pending_claim', claimUrl: expect.stringContaining('/claim/email/') },
    link: 200,
    waited: { amount: 0.5, status: 'pending_claim', network: 'base' },
    validated: { status: 'pending_claim' },
    back: { amount: 0.5 },
    again: { amount: 0.5 },
    unknown: { kind: 'refused', reason: 'payment_not_found' },
    nobody: { kind: 'refused', reason: 'platform_unavailable' },
    reward: { status: 'pending', budget: '5' },
  });
  const { rewarded } = said as { rewarded: { status: string; shares: { receipt: string }[] }[] };
  for (const one of rewarded) expect(one.status).toMatch(/confirmed|completed|partial/);
  const [paid, again] = rewarded.map(({ shares }) => shares.map(({ receipt }) => receipt));
  expect(paid).not.toEqual([]);
  expect(again).toEqual(paid);
});

const installed = () => join(folder, 'node_modules/pennypost-client');
const modules = () => readdirSync(installed()).filter((file) => file.endsWith('.mjs'));

test('no built-in of Node is in it, and it needs nothing else', () => {
  expect(modules().length).toBeGreaterThan(3);
  for (const file of modules()) {
    const code = readFileSync(join(installed(), file), 'utf8');
    const names = [...code.matchAll(/(?:\bfrom|\bimport|\brequire\()\s*["']([^"']+)["']/g)].map(
      ([, name = '']) => name,
    );
    const bare = names.filter((name) => !name.startsWith('./'));
    expect([file, bare.filter((name) => name.startsWith('node:') || builtinModules.includes(name))]).toEqual([
      file,
      [],
    ]);
  }
  const manifest: unknown = JSON.parse(readFileSync(join(installed(), 'package.json'), 'utf8'));
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest).toMatchObject({ publishConfig: { access: 'public', provenance: true } });
});

// From here on kit is installed as well: what pays on Base has worked without it.
test.concurrent('on Solana a key of kit pays', async () => {
  bring('@solana/kit');
  const said = await run(`
    import { createPennypost } from 'pennypost-client';
    import { createKeyPairSignerFromBytes, getBase58Encoder } from '@solana/kit';
    import { solanaSigner } from 'pennypost-client/solana';
    const bytes = getBase58Encoder().encode(process.env.PENNYPOST_SOLANA_KEY);
    const signer = solanaSigner(await createKeyPairSignerFromBytes(bytes), { rpcUrl: process.env.PENNYPOST_SOLANA_RPC_URL });
    const pennypost = createPennypost({ url: process.env.PENNYPOST_URL, signer });
    const { lines: [line] } = await pennypost.pay('bob@example.com', '0.5');
    const { network } = await pennypost.waitFor(line.txnId);
    const back = await pennypost.cancel(line.txnId);
    console.log(network, back.amount);`);
  expect(said.trim()).toBe('solana 0.5');
});

/** What browsers and Deno have alike. */
// prettier-ignore
const NEEDED = [
  'atob', 'btoa', 'crypto', 'fetch', 'setTimeout', 'clearTimeout', 'AbortController', 'AbortSignal', 'Headers', 'Request',
  'Response', 'ReadableStream', 'TextDecoder', 'TextEncoder', 'URL', 'Event', 'EventTarget', 'WebSocket', 'queueMicrotask',
  // Of one realm with the rest, as in a browser.
  'ArrayBuffer', 'Uint8Array',
] as const;

test.concurrent('with what a browser has, and nothing of Node, it pays on both families of networks', async () => {
  bring('@solana/kit');
  const entry = `
    import { createPennypost } from 'pennypost-client';
    import { viemSigner } from 'pennypost-client/viem';
    import { solanaSigner } from 'pennypost-client/solana';
    export { createPennypost, viemSigner, solanaSigner };`;
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: folder },
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'library',
    logLevel: 'silent',
  });
  const { privateKeyToAccount } = await import('viem/accounts');
  const { createKeyPairSignerFromBytes, getBase58Encoder } = await import('@solana/kit');
  const solanaKey = getBase58Encoder().encode(environment['PENNYPOST_SOLANA_KEY'] ?? '');
  const has = Object.fromEntries(NEEDED.map((name) => [name, Reflect.get(globalThis, name) as unknown]));
  const context = createContext({
    ...has,
    account: privateKeyToAccount(environment['PENNYPOST_BASE_KEY'] as `0x${string}`),
    key: await createKeyPairSignerFromBytes(solanaKey),
    url: environment['PENNYPOST_URL'],
    rpcUrl: environment['PENNYPOST_SOLANA_RPC_URL'],
  });
  const page = `${outputFiles[0]?.text ?? ''}
    const { createPennypost, viemSigner, solanaSigner } = library;
    const pay = async (signer) => (await createPennypost({ url, signer }).pay('x:alice', '0.05')).lines[0].amount;
    (async () => JSON.stringify([
      typeof Buffer, typeof process, await pay(viemSigner(account)), await pay(solanaSigner(key, { rpcUrl }))]))();`;
  expect(JSON.parse(z.string().parse(await runInContext(page, context)))).toEqual([
    'undefined',
    'undefined',
    0.05,
    0.05,
  ]);
});

test.concurrent('its types compile strictly where nothing but it is installed', async () => {
  const program = `
    import { createPennypost, PennypostError, type Paid, type PaymentStore } from 'pennypost-client';
    import { viemSigner } from 'pennypost-client/viem';
    import { solanaSigner } from 'pennypost-client/solana';
    declare const account: Parameters<typeof viemSigner>[0];
    declare const key: Parameters<typeof solanaSigner>[0];
    declare const store: PaymentStore;
    const pennypost = createPennypost({ url: 'https://pay.test', signer: viemSigner(account), store });
    solanaSigner(key, { rpcUrl: 'https://rpc.test' });
    const paid: Paid = await pennypost.pay('x:alice', '0.25', { id: 'one' });
    export const status: 'paid' | 'queued' | 'pending_claim' | 'refunded' | 'held' = paid.lines[0].status;
    // @ts-expect-error an amount is text, because a number may be rounded before it is seen
    await pennypost.pay('x:alice', 0.25);
    export const isOurs = (error: unknown) => error instanceof PennypostError && error.kind === 'refused';`;
  const place = join(folder, 'types');
  mkdirSync(place);
  writeFileSync(join(place, 'program.ts'), program);
  const options = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
  };
  const config = { compilerOptions: { ...options, skipLibCheck: false }, files: ['program.ts'] };
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(place, 'package.json'), '{"type":"module"}');
  const compiler = [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', place];
  const { stdout } = await execute(process.execPath, compiler).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
});
