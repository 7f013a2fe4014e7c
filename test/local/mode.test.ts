import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Connection, Keypair, PublicKey } from '@solana/web3.js';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { readSolanaKey } from '../../chain/solana/messages/key.ts';
import { microUsdc } from '../../core/money.ts';
import { ensureLocalKeys, type LocalKeys } from '../../local/keys.ts';
import { type LocalMode, type LocalModeOptions, startLocalMode, stopLocalMode } from '../../local/mode.ts';
import { isAlive } from '../../local/processes/process-id.ts';
import { callRpc } from '../../local/processes/rpc.ts';
import { compileProgram } from '../support/compiled-program.ts';
import { usdcAccount } from './solana/transfers.ts';
import { localChainsOf } from '../support/served.ts';

const ROOT = join(import.meta.dirname, '../..');
const SOL = 1_000_000_000n;
const BOTH = ['base', 'solana'] as const;

let dataDir: string;
let keys: LocalKeys;
let children: ChildProcess[];

async function open(): Promise<void> {
  dataDir = await mkdtemp(join(tmpdir(), 'pennypost-mode-'));
  keys = ensureLocalKeys(join(dataDir, 'local', 'keys.json'));
  children = [];
}
async function end(): Promise<void> {
  for (const child of children) child.kill('SIGKILL');
  await stopLocalMode(dataDir);
  await rm(dataDir, { recursive: true, force: true });
}
/** A folder for each test, or one for those that go on where the one before ended. */
function eachInItsFolder(): void {
  beforeEach(open);
  afterEach(end);
}
function allInOneFolder(): void {
  beforeAll(open);
  afterAll(end);
}

function start(options: Partial<LocalModeOptions> = {}): Promise<LocalMode> {
  return startLocalMode({ dataDir, networks: BOTH, keys, blockTimeMs: 0, slotMs: 0, ...options });
}

type Both = Awaited<ReturnType<typeof startBoth>>;

async function startBoth(options: Partial<LocalModeOptions> = {}) {
  const local = await start(options);
  const { base, solana } = localChainsOf(local);
  if (solana === null) throw new Error('Solana was asked for and is not there');
  return { ...local, base, solana };
}

const chainSchema = z.object({ pid: z.number(), instanceId: z.string(), rpcUrl: z.string() });
const startedSchema = z.object({ base: chainSchema, solana: chainSchema });

const STARTER = await compileProgram(join(import.meta.dirname, 'mode-starter.ts'));

/** Starts both chains from another process, and kills it with its whole process group, as a terminal does. */
async function startElsewhereAndKill() {
  const child = spawn(process.execPath, [STARTER, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  children.push(child);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  process.kill(-child.pid!, 'SIGKILL');
  await once(child, 'exit');
  return startedSchema.parse(JSON.parse(line));
}

async function killHard(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { interval: 5, timeout: 20_000 });
}

const addressOf = (privateKey: string) => readSolanaKey(privateKey).address;

describe('a first start', () => {
  let first: Both;
  allInOneFolder();
  beforeAll(async () => {
    first = await startBoth({ blockTimeMs: 250, slotMs: 50 });
  });

  test('the treasury and the fee payer have SOL, and the treasury a token account, all of it final', async () => {
    const connection = new Connection(first.solana.rpcUrl, 'finalized');
    const treasury = new PublicKey(addressOf(keys.solanaTreasuryKey));
    expect(BigInt(await connection.getBalance(treasury))).toBe(100n * SOL);
    expect(BigInt(await connection.getBalance(new PublicKey(addressOf(keys.solanaFeePayerKey))))).toBe(10n * SOL);
    expect((await connection.getTokenAccountBalance(usdcAccount(treasury))).value.amount).toBe('0');
  });

  test('ten payers a network are published, with where the chains are', async () => {
    const { base, solana, payersFile } = first;
    const published = JSON.parse(await readFile(payersFile, 'utf8')) as { payers: { network: string }[]; rpc: object };
    expect(published.rpc).toEqual({ base: base.rpcUrl, solana: solana.rpcUrl });
    const networks = published.payers.map(({ network }) => network);
    expect(networks).toEqual([...networks.slice(0, 10).fill('base'), ...networks.slice(10).fill('solana')]);
    expect(networks).toHaveLength(20);
  });

  test('a visitor gets 20 USDC on either network', async () => {
    const { base, solana, faucets } = first;
    const { address } = privateKeyToAccount(generatePrivateKey());
    const owner = Keypair.generate().publicKey.toBase58();
    await faucets.get('base')?.(address);
    await faucets.get('solana')?.(owner);
    expect(await base.usdcBalance(address)).toBe(20_000_000n);
    expect(await solana.usdcBalance(owner)).toBe(20_000_000n);
  });

  test('sets the time of both chains', async () => {
    const { base, solana } = first;
    expect(await callRpc(solana.rpcUrl, 'local_info')).toMatchObject({ slotMs: 50 });
    const height = async () => Number(await callRpc(base.rpcUrl, 'eth_blockNumber'));
    const before = await height();
    await vi.waitFor(async () => expect(await height()).toBeGreaterThan(before), { interval: 20, timeout: 30_000 });
  });

  test('a later one fills up a wallet that has used most of its SOL, for good, and nobody else', async () => {
    const rest = { owner: '11111111111111111111111111111111', data: '' };
    const leave = (privateKey: string, lamports: bigint) =>
      callRpc(first.solana.rpcUrl, 'local_setAccount', [addressOf(privateKey), { ...rest, lamports: `${lamports}` }]);
    await leave(keys.solanaTreasuryKey, 9n * SOL);
    await leave(keys.solanaFeePayerKey, 2n * SOL);
    const { solana } = await startBoth();
    const treasury = new PublicKey(addressOf(keys.solanaTreasuryKey));
    expect(await new Connection(solana.rpcUrl, 'finalized').getBalance(treasury)).toBe(109e9);
    expect(await solana.solBalance(addressOf(keys.solanaFeePayerKey))).toBe(2n * SOL);
  });

  test('is thrown away by --reset, which ends both chains', async () => {
    const { base, solana } = first;
    expect([isAlive(base.pid), isAlive(solana.pid)]).toEqual([true, true]);
    await mkdir(join(dataDir, 'more'));
    const child = spawn(process.execPath, [await compileProgram(join(ROOT, 'main.ts')), '--reset'], {
      cwd: ROOT,
      // The name that nobody knows ends it right after the reset.
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: dataDir, FAILPOINT: 'nowhere' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    const [output, problem] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    expect(output).toContain('Started over: the old play money is gone.');
    expect(problem).toMatch(/^FAILPOINT must be one of /);
    expect([isAlive(base.pid), isAlive(solana.pid)]).toEqual([false, false]);
    expect(existsSync(join(dataDir, 'local'))).toBe(false);
    expect(existsSync(join(dataDir, 'more'))).toBe(false);
  });
});

describe('networks', () => {
  eachInItsFolder();

  test('without Solana nothing of it is started, nor of Base without Base; when one cannot start, the other is stopped again', async () => {
    const others = join(dataDir, 'others');
    const [evm, svm] = await Promise.all([
      start({ networks: ['base'] }),
      start({ networks: ['solana'], dataDir: others }),
    ]);
    expect([[...evm.chains.keys()], [...evm.faucets.keys()]]).toEqual([['base'], ['base']]);
    expect(existsSync(join(dataDir, 'local', 'solana'))).toBe(false);
    expect([...svm.chains.keys()]).toEqual(['solana']);
    expect(existsSync(join(others, 'local', 'base'))).toBe(false);
    await Promise.all([evm.close(), svm.close()]);

    await writeFile(join(dataDir, 'local', 'solana'), 'not a folder');
    await expect(start()).rejects.toThrow(/EEXIST/);
    const pid = Number(await readFile(join(dataDir, 'local', 'base', 'anvil.pid'), 'utf8'));
    expect(pid).toBeGreaterThan(0);
    expect(isAlive(pid)).toBe(false);
    await rm(join(dataDir, 'local', 'solana'));
  });
});

/** Each goes on where the one before ended. */
describe('the next start', () => {
  const owner = Keypair.generate().publicKey.toBase58();
  let last: Both;
  allInOneFolder();
  const next = async () => {
    const before = last;
    last = await startBoth();
    return { before, after: last };
  };

  test('adopts both chains that a killed process left behind', async () => {
    const { base, solana } = await startElsewhereAndKill();
    expect([isAlive(base.pid), isAlive(solana.pid)]).toEqual([true, true]);
    last = await startBoth();
    expect(last.base).toMatchObject({ ...base, origin: 'adopted' });
    expect(last.solana).toMatchObject({ ...solana, origin: 'adopted' });
  });

  test('on a new Solana chain after kill -9 of one that had saved nothing, gives the money out again', async () => {
    await killHard(last.solana.pid);
    const { before, after } = await next();
    expect(after.base).toMatchObject({ origin: 'adopted', pid: before.base.pid });
    expect(after.solana.origin).toBe('fresh');
    expect(after.solana.instanceId).not.toBe(before.solana.instanceId);
    expect(await after.solana.solBalance(addressOf(keys.solanaTreasuryKey))).toBe(100n * SOL);
    const { payers } = JSON.parse(await readFile(after.payersFile, 'utf8')) as { payers: { address: string }[] };
    expect(await after.solana.usdcBalance(payers.at(-1)!.address)).toBe(1_000_000_000n);
  });

  test('after a clean end finds both chains and all money as they were', async () => {
    await last.solana.fundUsdc(owner, microUsdc(7n));
    await last.solana.fundSol(addressOf(keys.solanaTreasuryKey), SOL);
    await last.close();
    expect([isAlive(last.base.pid), isAlive(last.solana.pid)]).toEqual([false, false]);
    const { before, after } = await next();
    expect(after.base).toMatchObject({ origin: 'restored', instanceId: before.base.instanceId });
    expect(after.solana).toMatchObject({ origin: 'restored', instanceId: before.solana.instanceId });
    expect(await after.solana.usdcBalance(owner)).toBe(7n);
    expect(await after.solana.solBalance(addressOf(keys.solanaTreasuryKey))).toBe(101n * SOL);
  });

  test('after kill -9 of the Solana chain goes on from what it saved, as the same chain', async () => {
    await last.solana.fundSol(addressOf(keys.solanaTreasuryKey), SOL);
    await killHard(last.solana.pid);
    const { before, after } = await next();
    expect(after.base).toMatchObject({ origin: 'adopted', pid: before.base.pid });
    expect(after.solana).toMatchObject({ origin: 'restored', instanceId: before.solana.instanceId });
    expect(await after.solana.solBalance(addressOf(keys.solanaTreasuryKey))).toBe(101n * SOL);
  });

  test('is not needed to stop them: that ends both, and starts none', async () => {
    const pids = [last.base.pid, last.solana.pid];
    expect(pids.map(isAlive)).toEqual([true, true]);
    await stopLocalMode(dataDir);
    expect(pids.map(isAlive)).toEqual([false, false]);
    const files = [join('base', 'anvil.pid'), join('solana', 'solana.pid')].map((file) =>
      readFile(join(dataDir, 'local', file), 'utf8'),
    );
    expect((await Promise.all(files)).map(Number)).toEqual(pids);
  });
});

describe('starting over', () => {
  eachInItsFolder();

  test('stopping where nothing was ever started leaves no chain behind', async () => {
    await stopLocalMode(dataDir);
    expect(existsSync(join(dataDir, 'local', 'base'))).toBe(false);
    expect(existsSync(join(dataDir, 'local', 'solana'))).toBe(false);
  });
});
