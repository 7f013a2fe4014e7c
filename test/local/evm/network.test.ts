import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Address, createPublicClient, http } from 'viem';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { microUsdc } from '../../../core/money.ts';
import type { AnvilOptions } from '../../../local/evm/anvil.ts';
import { LOCAL_USDC_ABI } from '../../../local/evm/contracts.ts';
import { type LocalEvm, startLocalEvm } from '../../../local/evm/network.ts';
import { isAlive } from '../../../local/processes/process-id.ts';
import { callRpc } from '../../../local/processes/rpc.ts';
import { testBase } from '../../support/chains/base-chain.ts';
import { compileProgram } from '../../support/compiled-program.ts';
import { findQuietPort } from '../../support/quiet-port.ts';

const RECIPIENT: Address = '0x00000000000000000000000000000000000000aa';
const ONE_USDC = microUsdc(1_000_000n);

let dir: string;
let opened: LocalEvm[];
let children: ChildProcess[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pennypost-network-'));
  opened = [];
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(opened.map((base) => base.close()));
  await rm(dir, { recursive: true, force: true });
});

async function start(options: Partial<AnvilOptions> = {}): Promise<LocalEvm> {
  const base = await startLocalEvm({ network: 'base', dir, blockTimeMs: 0, ...options });
  opened.push(base);
  return base;
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

function clientOf({ rpcUrl }: { rpcUrl: string }) {
  return createPublicClient({ chain: testBase, transport: http(rpcUrl), cacheTime: 0 });
}

async function killHard(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { interval: 5, timeout: 20_000 });
}

describe('a restart', () => {
  test('keeps balances, logs, receipts, blocks, port and instance id; after kill -9 in that run it goes back to the state that was written last', async () => {
    const before = await start({ port: await findQuietPort() });
    const client = clientOf(before);
    const first = await client.getBlockNumber();
    await before.fundUsdc(RECIPIENT, ONE_USDC);
    // Without a block time nothing is mined unless asked.
    expect(await client.getBlockNumber()).toBe(first + 1n);
    await before.fundEth(RECIPIENT, 7n);
    await callRpc(before.rpcUrl, 'anvil_mine', ['0x5']);
    expect(await client.getBlockNumber()).toBe(first + 6n);
    const query = { address: before.usdcAddress, fromBlock: 0n, toBlock: 'latest' } as const;
    const logs = await client.getLogs(query);
    const { transactionHash, blockNumber } = logs[0]!;
    const receipt = await client.getTransactionReceipt({ hash: transactionHash });
    const blocks = await Promise.all([0n, 1n, blockNumber].map((number) => client.getBlock({ blockNumber: number })));
    const head = await client.getBlock();
    await before.close();
    expect(isAlive(before.pid)).toBe(false);

    const after = await start();
    expect(after).toMatchObject({ origin: 'restored', rpcUrl: before.rpcUrl, instanceId: before.instanceId });
    expect(after.pid).not.toBe(before.pid);
    expect(await after.usdcBalance(RECIPIENT)).toBe(ONE_USDC);
    expect(await client.getBalance({ address: RECIPIENT })).toBe(7n);
    expect(await client.getLogs(query)).toEqual(logs);
    expect(await client.getTransactionReceipt({ hash: transactionHash })).toEqual(receipt);
    expect(await client.getTransaction({ hash: transactionHash })).toMatchObject({ blockNumber });
    const found = await Promise.all([0n, 1n, blockNumber].map((number) => client.getBlock({ blockNumber: number })));
    expect(found).toEqual(blocks);
    expect((await client.getBlock({ blockNumber: head.number })).hash).toBe(head.hash);
    expect((await client.getBlock({ blockTag: 'earliest' })).hash).toBe(blocks[0]!.hash);
    await assertReadableAtTags(after, head.number);

    await after.fundUsdc(RECIPIENT, ONE_USDC);
    const last = await client.getBlockNumber();
    await killHard(after.pid);
    const third = await start();
    expect(third).toMatchObject({ origin: 'restored', instanceId: before.instanceId });
    expect(await third.usdcBalance(RECIPIENT)).toBe(ONE_USDC);
    expect(await clientOf(third).getBlockNumber()).toBeLessThanOrEqual(last);
  });

  /** Safe and finalized are blocks whose balances can be asked for, and none is before this one. */
  async function assertReadableAtTags(base: LocalEvm, head: bigint): Promise<void> {
    const balanceAt = (blockTag: 'safe' | 'finalized') =>
      clientOf(base).readContract({
        address: base.usdcAddress,
        abi: LOCAL_USDC_ABI,
        functionName: 'balanceOf',
        args: [RECIPIENT],
        blockTag,
      });
    expect(await balanceAt('safe')).toBe(ONE_USDC);
    expect(await balanceAt('finalized')).toBe(ONE_USDC);
    expect((await clientOf(base).getBlock({ blockTag: 'finalized' })).number).toBeGreaterThanOrEqual(head);
  }

  test('after kill -9 of the chain before it wrote anything is another chain with another id; goes on at the time of the clock, not of the last block; with an unreadable state it says so, keeps the file aside and starts a new chain', async () => {
    const killed = await start();
    await killed.fundUsdc(RECIPIENT, ONE_USDC);
    await killHard(killed.pid);
    // Its caller names it in one line.
    await expect(killed.fundUsdc(RECIPIENT, ONE_USDC)).rejects.toThrow(
      `the local chain at ${killed.rpcUrl} does not answer`,
    );
    const before = await start();
    expect(before.origin).toBe('fresh');
    expect(before.instanceId).toMatch(/^0x[0-9a-f]{64}$/);
    expect(before.instanceId).not.toBe(killed.instanceId);
    expect(await before.usdcBalance(RECIPIENT)).toBe(0n);

    await before.close();
    const stateFile = join(dir, 'state.json');
    const state = await readFile(stateFile, 'utf8');
    // As if the chain had been stopped an hour ago.
    const hourAgo = Math.floor(Date.now() / 1000) - 3_600;
    await writeFile(
      stateFile,
      state.replaceAll(/"timestamp":"0x[0-9a-f]+"/g, `"timestamp":"0x${hourAgo.toString(16)}"`),
    );
    const after = await start();
    const { timestamp } = await clientOf(after).getBlock();
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(10);
    await after.close();
    await writeFile(stateFile, (await readFile(stateFile, 'utf8')).slice(0, 1_000));
    const warnings: string[] = [];
    const log = { info: () => undefined, warn: (_fields: object, text: string) => void warnings.push(text) };
    const anew = await start({ log });
    expect(warnings).toEqual(['the state of the local EVM chain cannot be read; it starts anew']);
    expect(anew.origin).toBe('fresh');
    expect(anew.instanceId).not.toBe(before.instanceId);
    expect(await readdir(dir)).toContain('state.json.unreadable');
  });
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
    await after.fundUsdc(RECIPIENT, ONE_USDC);
    expect(await after.usdcBalance(RECIPIENT)).toBe(ONE_USDC);
    // They come at fractions of a second.
    const client = clientOf(after);
    const first = await client.getBlockNumber();
    const startedAt = performance.now();
    await vi.waitFor(async () => expect(await client.getBlockNumber()).toBeGreaterThanOrEqual(first + 10n), {
      interval: 20,
      timeout: 25_000,
    });
    expect(performance.now() - startedAt).toBeGreaterThan(1_000);
  });

  test('three starters at once, one of them another process, share one chain', async () => {
    const started = await Promise.all([start(), start(), startElsewhere()]);
    expect(new Set(started.map(({ pid }) => pid)).size).toBe(1);
    expect(new Set(started.map(({ instanceId }) => instanceId)).size).toBe(1);
    expect(started.filter(({ origin }) => origin === 'fresh')).toHaveLength(1);
  });

  test('a starter that dies while it starts leaves nothing that the next one cannot use', async () => {
    // Killed at the first trace of each step: the lock, the process id, the memory of port and id, the admin's key.
    const traces = ['anvil.lock.1', 'anvil.pid', 'anvil.json', 'usdc-admin.key'];
    for (const trace of traces) {
      const child = spawn(process.execPath, [STARTER, dir], { stdio: 'ignore' });
      children.push(child);
      await vi.waitFor(async () => expect(await readdir(dir)).toContain(trace), { interval: 1, timeout: 25_000 });
      child.kill('SIGKILL');
      await once(child, 'exit');
      const base = await start();
      await base.fundUsdc(RECIPIENT, ONE_USDC);
      expect(await base.usdcBalance(RECIPIENT)).toBe(ONE_USDC);
      await base.close();
      expect(isAlive(base.pid)).toBe(false);
      for (const file of await readdir(dir)) await rm(join(dir, file), { recursive: true });
    }
  });

  test('the chain of another directory on the remembered port is not taken for ours: that port is given up, and one that is asked for is moved to', async () => {
    const port = await findQuietPort();
    const mine = await start({ port });
    await mine.fundUsdc(RECIPIENT, ONE_USDC);
    await mine.close();
    const otherDir = join(dir, 'other');
    const other = await start({ dir: otherDir, port });
    // The numbers of our dead process were given to the other chain.
    await writeFile(join(dir, 'anvil.pid'), `${other.pid}\n`);
    const again = await start();
    expect(again.pid).not.toBe(other.pid);
    expect(again.rpcUrl).not.toBe(mine.rpcUrl);
    expect(again).toMatchObject({ origin: 'restored', instanceId: mine.instanceId });
    expect(isAlive(other.pid)).toBe(true);
    const asked = await findQuietPort();
    const moved = await start({ port: asked });
    expect(moved.rpcUrl).toBe(`http://127.0.0.1:${asked}`);
    expect(moved.instanceId).toBe(mine.instanceId);
    expect(await moved.usdcBalance(RECIPIENT)).toBe(ONE_USDC);
  });
});

describe('settings', () => {
  test('a wanted port that is in use is refused in one line', async () => {
    const stranger = await listenOn(0);
    const { port } = stranger.address() as { port: number };
    try {
      await expect(start({ port })).rejects.toThrow(
        `port ${port} for the local EVM chain is in use by another program`,
      );
    } finally {
      stranger.close();
    }
  });
});

async function listenOn(port: number): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
