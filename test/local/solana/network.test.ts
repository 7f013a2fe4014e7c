import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Connection, Keypair } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { microUsdc } from '../../../core/money.ts';
import { isAlive } from '../../../local/processes/process-id.ts';
import { callRpc } from '../../../local/processes/rpc.ts';
import { loadState } from '../../../local/solana/chain/state-file.ts';
import { type LocalSolana, type SolanaOptions, startLocalSolana } from '../../../local/solana/network.ts';
import { compileProgram } from '../../support/compiled-program.ts';
import { findQuietPort } from '../../support/quiet-port.ts';
import { toTransaction, toWire, usdcAccount, usdcTransfer } from './transfers.ts';

const ONE_USDC = microUsdc(1_000_000n);
const OWNER = Keypair.generate();
const RECIPIENT = Keypair.generate();
const READ = { maxSupportedTransactionVersion: 1 } as const;
const UNREADABLE = 'the state of the local Solana network cannot be read; it starts anew';

let dir: string;
let opened: LocalSolana[];
let children: ChildProcess[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pennypost-solana-'));
  opened = [];
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(opened.map((network) => network.close()));
  await rm(dir, { recursive: true, force: true });
});

/** How long each new chain took. */
const startsMs: number[] = [];

async function start(options: Partial<SolanaOptions> = {}): Promise<LocalSolana> {
  const startedAt = performance.now();
  const network = await startLocalSolana({ dir, slotMs: 0, ...options });
  if (network.origin === 'fresh') startsMs.push(performance.now() - startedAt);
  opened.push(network);
  return network;
}

const startedSchema = z.object({ rpcUrl: z.string(), pid: z.number(), instanceId: z.string(), origin: z.string() });

const STARTER = await compileProgram(join(import.meta.dirname, 'starter.ts'));

/** Starts the network from another process, which then waits. */
async function startElsewhere() {
  const child = spawn(process.execPath, [STARTER, dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  children.push(child);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, ...startedSchema.parse(JSON.parse(line)) };
}

/** A transfer that the network knows for good. */
async function pay(network: LocalSolana, amount: bigint): Promise<string> {
  await network.fundSol(OWNER.publicKey.toBase58(), 1_000_000_000n);
  await network.fundUsdc(OWNER.publicKey.toBase58(), ONE_USDC);
  await network.fundUsdc(RECIPIENT.publicKey.toBase58(), microUsdc(1n));
  await network.warpSlots(32);
  const connection = new Connection(network.rpcUrl, 'confirmed');
  const { blockhash } = await connection.getLatestBlockhash();
  const instructions = [usdcTransfer(OWNER.publicKey, RECIPIENT.publicKey, amount)];
  return connection.sendTransaction(toTransaction({ payer: OWNER, instructions, blockhash }));
}

async function killHard(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { interval: 5, timeout: 20_000 });
}

const slotOf = (network: LocalSolana) => new Connection(network.rpcUrl).getSlot('processed');

describe('a restart', () => {
  describe('after a clean end', () => {
    let before: LocalSolana;
    let after: LocalSolana;
    let wireOf: (amount: bigint) => string;
    const left = { isAlive: true, forOthers: [] as number[] };
    let kept: { signature: string; transaction: unknown; block: unknown; listed: unknown; slot: number };

    const connected = () => new Connection(before.rpcUrl, 'confirmed');
    const read = async (signature: string) => {
      const transaction = await connected().getTransaction(signature, READ);
      const block = await connected().getBlock(transaction!.slot, READ);
      return { transaction, block, listed: await connected().getSignaturesForAddress(OWNER.publicKey) };
    };
    const send = (wire: string) =>
      callRpc(before.rpcUrl, 'sendTransaction', [wire, { encoding: 'base64', skipPreflight: true }]);

    beforeAll(async () => {
      dir = await mkdtemp(join(tmpdir(), 'pennypost-solana-'));
      before = await startLocalSolana({ dir, slotMs: 0, port: await findQuietPort([1]) });
      const signature = await pay(before, 5n);
      await before.warpSlots(40);
      const { blockhash } = await new Connection(before.rpcUrl, 'processed').getLatestBlockhash();
      wireOf = (amount) => {
        const instructions = [usdcTransfer(OWNER.publicKey, RECIPIENT.publicKey, amount)];
        return toWire(toTransaction({ payer: OWNER, instructions, blockhash }));
      };
      await send(wireOf(7n));
      await before.warpSlots(40);
      kept = { signature, ...(await read(signature)), slot: await slotOf(before) };
      await before.close();
      left.isAlive = isAlive(before.pid);
      for (const file of ['state.json', 'running.json', 'solana.log']) {
        left.forOthers.push((await stat(join(dir, file))).mode & 0o077);
      }
      after = await startLocalSolana({ dir, slotMs: 0 });
    });
    afterAll(async () => {
      await after.close();
      await rm(after.dir, { recursive: true, force: true });
    });

    test('its process is gone, and what it wrote is for its owner only', () => {
      expect(left).toEqual({ isAlive: false, forOthers: [0, 0, 0] });
    });

    test('it keeps balances, history, blocks, port and instance id', async () => {
      expect(after).toMatchObject({ origin: 'restored', rpcUrl: before.rpcUrl, instanceId: before.instanceId });
      expect(after.pid).not.toBe(before.pid);
      expect(await after.usdcBalance(OWNER.publicKey.toBase58())).toBe(ONE_USDC - 12n);
      expect(await after.usdcBalance(RECIPIENT.publicKey.toBase58())).toBe(13n);
      const { signature, slot, ...seen } = kept;
      expect(await read(signature)).toEqual(seen);
      expect(await slotOf(after)).toBeGreaterThan(slot);
      // The issuer's key is kept too.
      await after.fundUsdc(OWNER.publicKey.toBase58(), microUsdc(12n));
      expect(await after.usdcBalance(OWNER.publicKey.toBase58())).toBe(ONE_USDC);
    });

    test('it does not let a transaction land again, and leaves blockhashes as good as they were', async () => {
      const balance = () => after.usdcBalance(RECIPIENT.publicKey.toBase58());
      await send(wireOf(7n));
      expect(await balance()).toBe(13n);
      await send(wireOf(8n));
      expect(await balance()).toBe(21n);
    });

    test('a second close does nothing, because another chain has started meanwhile', async () => {
      await before.close();
      expect(await slotOf(after)).toBeGreaterThan(0);
    });

    describe('the taps', () => {
      const OTHER = Keypair.generate();

      test('a token account is opened once, with nothing in it, and one that is there stays as it is', async () => {
        const [owner, account] = [OTHER.publicKey.toBase58(), usdcAccount(OTHER.publicKey)];
        const connection = new Connection(after.rpcUrl, 'processed');
        expect(await connection.getAccountInfo(account)).toBe(null);
        await after.ensureUsdcAccount(owner);
        expect((await connection.getTokenAccountBalance(account)).value.amount).toBe('0');
        await after.fundUsdc(owner, ONE_USDC);
        const signatures = await connection.getSignaturesForAddress(account, {}, 'confirmed');
        await after.ensureUsdcAccount(owner);
        expect(await after.usdcBalance(owner)).toBe(ONE_USDC);
        expect(await connection.getSignaturesForAddress(account, {}, 'confirmed')).toEqual(signatures);
        // Also for direct callers of the chain.
        await callRpc(after.rpcUrl, 'local_openUsdcAccount', [owner]);
        expect(await after.usdcBalance(owner)).toBe(ONE_USDC);
      });

      test('SOL arrives at once, and is finalized on demand', async () => {
        const address = OTHER.publicKey.toBase58();
        await after.fundSol(address, 3_000_000_000n);
        expect(await after.solBalance(address)).toBe(3_000_000_000n);
        const finalized = () => new Connection(after.rpcUrl, 'finalized').getBalance(OTHER.publicKey);
        expect(await finalized()).toBe(0);
        await after.finalize();
        expect(await finalized()).toBe(3e9);
      });

      test('what the chain refuses is told in one line', async () => {
        await expect(after.fundSol(Keypair.generate().publicKey.toBase58(), 1n)).rejects.toThrow(
          /^the local chain refused local_airdrop: [^\n]*InsufficientFundsForRent[^\n]*$/,
        );
        await expect(after.usdcBalance('nobody')).rejects.toThrow();
      });
    });
  });

  test('after kill -9 of the chain before it saved anything is another chain with another id; with a state that is cut off or of another version says so, keeps the file aside and starts a new chain', async () => {
    const before = await start();
    await pay(before, 5n);
    await killHard(before.pid);
    // Its caller names it in one line.
    await expect(before.fundUsdc(OWNER.publicKey.toBase58(), ONE_USDC)).rejects.toThrow(
      `the local chain at ${before.rpcUrl} does not answer`,
    );
    const after = await start();
    expect(after.origin).toBe('fresh');
    expect(after.instanceId).toMatch(/^[0-9a-f]{64}$/);
    expect(after.instanceId).not.toBe(before.instanceId);
    expect(await after.usdcBalance(OWNER.publicKey.toBase58())).toBe(0n);

    await after.close();
    const stateFile = join(dir, 'state.json');
    const whole = await readFile(stateFile, 'utf8');
    const aside = () => readFile(join(dir, 'state.json.unreadable'), 'utf8');
    const { log, warnings } = createLog();
    const ofAnother = whole.replace('"format":1', '"format":99');
    await writeFile(stateFile, ofAnother);
    expect(await loadState(dir, (text) => log.warn({}, text))).toBe(null);
    expect(await aside()).toBe(ofAnother);
    const cutOff = whole.slice(0, 1_000);
    await writeFile(stateFile, cutOff);
    const anew = await start({ log });
    expect(warnings).toEqual(Array.from({ length: 2 }, () => UNREADABLE));
    expect(anew.origin).toBe('fresh');
    expect(anew.instanceId).not.toBe(after.instanceId);
    expect(await aside()).toBe(cutOff);
    // CONTROL: the whole one is read.
    await writeFile(stateFile, whole);
    expect(await loadState(dir, (text) => log.warn({}, text))).not.toBe(null);
  });

  test('goes on at the slot of the clock, without blocks for the time between; after kill -9 in that run it goes back to what was saved last, never back in slots, and says what may be lost', async () => {
    const first = await start({ slotMs: 100 });
    await pay(first, 5n);
    await first.close();
    const stateFile = join(dir, 'state.json');
    const saved = JSON.parse(await readFile(stateFile, 'utf8'));
    const { slot: savedSlot, height } = saved.blocks.at(-1);
    // As if the chain had been stopped an hour ago.
    await writeFile(stateFile, JSON.stringify({ ...saved, savedAtMs: saved.savedAtMs - 3_600_000 }));
    const second = await start({ slotMs: 100 });
    expect(await slotOf(second)).toBeGreaterThan(savedSlot + 36_000);
    expect(await new Connection(second.rpcUrl).getBlockHeight('processed')).toBeLessThan(height + 200);
    await second.fundUsdc(OWNER.publicKey.toBase58(), ONE_USDC);
    const slot = await slotOf(second);
    await killHard(second.pid);
    // As if it had saved once more while it ran.
    const state = JSON.parse(await readFile(stateFile, 'utf8'));
    await writeFile(stateFile, JSON.stringify({ ...state, isClean: false }));
    const { log, warnings } = createLog();
    const third = await start({ slotMs: 100, log });
    expect(third).toMatchObject({ origin: 'restored', instanceId: first.instanceId });
    expect(await third.usdcBalance(OWNER.publicKey.toBase58())).toBe(ONE_USDC - 5n);
    expect(await slotOf(third)).toBeGreaterThan(slot);
    expect(warnings).toEqual([
      `the local Solana network was killed; what landed on it after ${new Date(state.savedAtMs).toISOString()} may be lost`,
    ]);
  });

  function createLog() {
    const warnings: string[] = [];
    const log = { info: () => undefined, warn: (_fields: object, text: string) => void warnings.push(text) };
    return { log, warnings };
  }
});

describe('adoption', () => {
  test('a chain outlives kill -9 of the process group that started it, makes its blocks, and the next start adopts it', async () => {
    const { child, ...before } = await startElsewhere();
    expect(before.origin).toBe('fresh');
    // The whole process group, as a terminal signals it.
    process.kill(-child.pid!, 'SIGKILL');
    await once(child, 'exit');
    const after = await start();
    expect(after).toMatchObject({ ...before, origin: 'adopted' });
    await after.fundUsdc(OWNER.publicKey.toBase58(), ONE_USDC);
    expect(await after.usdcBalance(OWNER.publicKey.toBase58())).toBe(ONE_USDC);
    // Its blocks come at fractions of a second.
    const first = await slotOf(after);
    const startedAt = performance.now();
    await vi.waitFor(async () => expect(await slotOf(after)).toBeGreaterThanOrEqual(first + 10), {
      interval: 20,
      timeout: 25_000,
    });
    expect(performance.now() - startedAt).toBeGreaterThan(300);
  });

  test('three starters at once, one of them another process, share one chain, which ends by itself when its folder is thrown away', async () => {
    const started = await Promise.all([start(), start(), startElsewhere()]);
    expect(new Set(started.map(({ pid }) => pid)).size).toBe(1);
    expect(new Set(started.map(({ instanceId }) => instanceId)).size).toBe(1);
    expect(started.filter(({ origin }) => origin === 'fresh')).toHaveLength(1);
    const pid = started[0].pid;
    await rm(dir, { recursive: true, maxRetries: 5 });
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { interval: 50, timeout: 25_000 });
    // For the end of every test, which closes it.
    await mkdir(dir);
  });

  test('a starter that dies while it starts leaves nothing that the next one cannot use', async () => {
    // Killed at the first trace of each step: the lock, the process id, the word that it is ready.
    for (const trace of ['solana.lock.1', 'solana.pid', 'running.json']) {
      const child = spawn(process.execPath, [STARTER, dir], { stdio: 'ignore' });
      children.push(child);
      await vi.waitFor(async () => expect(await readdir(dir)).toContain(trace), { interval: 1, timeout: 25_000 });
      child.kill('SIGKILL');
      await once(child, 'exit');
      const network = await start();
      await network.fundUsdc(OWNER.publicKey.toBase58(), ONE_USDC);
      expect(await network.usdcBalance(OWNER.publicKey.toBase58())).toBe(ONE_USDC);
      await network.close();
      expect(isAlive(network.pid)).toBe(false);
      for (const file of await readdir(dir)) await rm(join(dir, file), { recursive: true });
    }
  });

  test('the chain of another directory on the remembered port is not taken for ours: that port is given up, and one that is asked for is moved to', async () => {
    const port = await findQuietPort([1]);
    const mine = await start({ port });
    await mine.fundUsdc(OWNER.publicKey.toBase58(), ONE_USDC);
    await mine.close();
    const other = await start({ dir: join(dir, 'other'), port });
    // The numbers of our dead process were given to the other chain.
    await writeFile(join(dir, 'solana.pid'), `${other.pid}\n`);
    const running = JSON.parse(await readFile(join(dir, 'running.json'), 'utf8'));
    await writeFile(join(dir, 'running.json'), JSON.stringify({ ...running, pid: other.pid }));
    const again = await start();
    expect(again.pid).not.toBe(other.pid);
    expect(again.rpcUrl).not.toBe(mine.rpcUrl);
    expect(again).toMatchObject({ origin: 'restored', instanceId: mine.instanceId });
    expect(isAlive(other.pid)).toBe(true);
    const asked = await findQuietPort([1]);
    const moved = await start({ port: asked });
    expect(moved).toMatchObject({ rpcUrl: `http://127.0.0.1:${asked}`, wsUrl: `ws://127.0.0.1:${asked + 1}` });
    expect(moved.instanceId).toBe(mine.instanceId);
    expect(await moved.usdcBalance(OWNER.publicKey.toBase58())).toBe(ONE_USDC);
  });
});

describe('settings', () => {
  test('a wanted port is refused in one line when the one above is in use', async () => {
    const stranger = await listenOn(0);
    const port = (stranger.address() as { port: number }).port - 1;
    try {
      await expect(start({ port })).rejects.toThrow(
        `the local Solana network ended at once: port ${port} or ${port + 1} for the local Solana network is in use by another program`,
      );
    } finally {
      stranger.close();
    }
  });

  test('a start takes no longer than twenty starts of an empty program', async () => {
    // What else the machine does makes both slower, and either by chance: the quickest start of each counts.
    const quickest = { empty: Number.POSITIVE_INFINITY, chain: Math.min(...startsMs) };
    for (let round = 1; round <= 5 && !(quickest.chain < 20 * quickest.empty); round += 1) {
      for (let sample = 0; sample < 3; sample += 1)
        quickest.empty = Math.min(quickest.empty, await timeOf(startNothing));
      if (quickest.chain < 20 * quickest.empty) break;
      quickest.chain = Math.min(quickest.chain, await timeOf(() => start({ dir: join(dir, `${round}`) })));
    }
    expect(quickest.chain).toBeLessThan(20 * quickest.empty);
  });
});

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** A program that ends at once. */
async function startNothing(): Promise<void> {
  await once(spawn(process.execPath, ['-e', '']), 'exit');
}

async function listenOn(port: number): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
