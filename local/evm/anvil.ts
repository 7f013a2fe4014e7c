/**
 * An EVM chain of our own on loopback that outlives us. What `dir` holds:
 * `anvil.json` (the port, once chosen, and which chain it was), `anvil.pid`, `anvil.log`, `state.json` (the chain as
 * anvil wrote it last), `history/` (states of past blocks, worthless after a restart).
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { withLock } from '../processes/directory-lock.ts';
import type { Log } from '../processes/log.ts';
import { callRpc, toRpcUrl } from '../processes/rpc.ts';
import { readIfThere, writeWhole } from '../processes/whole-file.ts';
import { anvilArguments, findAnvil } from './anvil-command.ts';
import { readAnvilPid, spawnAnvil, stopAnvil, waitForAnvil } from './anvil-process.ts';
import { type Hex, callHex } from './rpc.ts';

/** Its code is the instance id: a chain that lost its state has none, and is given a new one. ASCII for `pennypost marker`. */
export const MARKER_ADDRESS = '0x000000000070656e6e79706f7374206d61726b65';

const BLOCK_TIME_MS = 1_000;
const ADOPT_WITHIN_MS = 5_000;

export type AnvilOptions = {
  dir: string;
  chainId: number;
  /** Of the first block. */
  baseFeeWei: bigint;
  /** Refused when another program has it. Without it, a free port is chosen once and kept while it stays free. */
  port?: number;
  /** 1,000 by default; fractions of a second are fine; 0 mines on demand only. A running chain keeps its own. */
  blockTimeMs?: number;
  log?: Log;
};

export type Anvil = {
  rpcUrl: string;
  port: number;
  pid: number;
  /** 32 random bytes on the chain itself: another value means another chain, even on the same port. */
  instanceId: Hex;
  origin: 'fresh' | 'restored' | 'adopted';
  /** Saves the chain's state and stops it, for every process that uses it. */
  close: () => Promise<void>;
};

const rememberedSchema = z.object({ port: z.number().int(), instanceId: z.string().optional() });
type Remembered = z.infer<typeof rememberedSchema>;
type Running = { port: number; pid: number; origin: Anvil['origin'] };
/** `options`: null where any chain will do. */
type Place<Options = Omit<AnvilOptions, 'dir'>> = { dir: string; options: Options; remembered: Remembered | null };

/** Adopts the chain that runs for `dir`, or starts one. Several processes may call this at once: one of them starts it. */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const dir = resolve(options.dir);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  return withLock(dir, 'anvil', async () => {
    const place = { dir, options, remembered: await readRemembered(dir) };
    const running = (await adopt(place)) ?? (await start(place));
    const rpcUrl = toRpcUrl(running.port);
    const instanceId = await ensureMarker(dir, running.port);
    options.log?.info({ rpcUrl, pid: running.pid, origin: running.origin }, 'local EVM chain is ready');
    return { rpcUrl, instanceId, ...running, close: () => closeAnvil(dir, running.pid) };
  });
}

/** Ends the chain that runs for `dir`, if one does, with its state written down. */
export async function stopLocalEvm(dir: string): Promise<void> {
  if (!existsSync(dir)) return;
  await withLock(dir, 'anvil', async () => {
    const running = await adopt({ dir: resolve(dir), options: null, remembered: await readRemembered(dir) });
    if (running) await stopAnvil(dir, running.pid);
  });
}

async function closeAnvil(dir: string, pid: number): Promise<void> {
  await withLock(dir, 'anvil', async () => {
    // Another process may have closed it before and started a new one.
    if ((await readAnvilPid(dir)) === pid) await stopAnvil(dir, pid);
  });
}

async function adopt({ dir, options, remembered }: Place<Omit<AnvilOptions, 'dir'> | null>): Promise<Running | null> {
  const pid = await readAnvilPid(dir);
  if (pid === null) return null;
  const ready = await waitForAnvil({ dir, pid, chainId: options?.chainId ?? null }, ADOPT_WITHIN_MS).catch(() => null);
  if (!ready || 'lastOutput' in ready) return null;
  // Process id and port of a dead chain may have been given to others, even to another chain of this kind. Without any
  // marker its starter died before it could write one.
  const marker = await readMarker(toRpcUrl(ready.port));
  if (marker !== null && marker !== remembered?.instanceId) return null;
  if (options?.port !== undefined && options.port !== ready.port) {
    await stopAnvil(dir, pid);
    return null;
  }
  return { port: ready.port, pid, origin: 'adopted' };
}

/** Tries the wanted port and state; gives up a port that no caller insists on, and a state that cannot be read. */
async function start(place: Place): Promise<Running> {
  const { dir, options, remembered } = place;
  const stateFile = join(dir, 'state.json');
  let port = options.port ?? remembered?.port ?? 0;
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const restores = await isThere(stateFile);
    const pid = await launch(place, port, stateFile);
    const ready = await waitForAnvil({ dir, pid, chainId: options.chainId });
    if ('port' in ready) {
      if (restores) await mineOverRestart(toRpcUrl(ready.port));
      return { port: ready.port, pid, origin: restores ? 'restored' : 'fresh' };
    }
    if (/Address already in use/.test(ready.lastOutput)) {
      if (options.port !== undefined)
        throw new Error(`port ${port} for the local EVM chain is in use by another program`);
      port = 0;
    } else if (/for '--state/.test(ready.lastOutput)) {
      await rename(stateFile, `${stateFile}.unreadable`);
      options.log?.warn({ file: stateFile }, 'the state of the local EVM chain cannot be read; it starts anew');
    } else {
      throw new Error(`the local EVM chain (anvil) ended at once: ${ready.lastOutput || 'it said nothing'}`);
    }
  }
  throw new Error('the local EVM chain (anvil) did not start in three attempts');
}

async function launch({ dir, options }: Place, port: number, stateFile: string): Promise<number> {
  const historyDir = join(dir, 'history');
  // anvil leaves the states of the previous run behind and never reads them again.
  await rm(historyDir, { recursive: true, force: true });
  const blockTimeMs = options.blockTimeMs ?? BLOCK_TIME_MS;
  const { chainId, baseFeeWei } = options;
  return spawnAnvil(
    dir,
    findAnvil(),
    anvilArguments({ chainId, baseFeeWei, port, blockTimeMs, stateFile, historyDir }),
  );
}

/**
 * anvil keeps blocks, logs and receipts over a restart, but of the states only the newest. Two empty blocks later,
 * safe and finalized point at blocks whose state can be asked for.
 */
async function mineOverRestart(rpcUrl: string): Promise<void> {
  await callRpc(rpcUrl, 'anvil_mine', ['0x2']);
}

/** The id is remembered before it is on the chain: a chain with an unknown id is then never one of ours. */
async function ensureMarker(dir: string, port: number): Promise<Hex> {
  const rpcUrl = toRpcUrl(port);
  const marker = await readMarker(rpcUrl);
  const instanceId = marker ?? (`0x${randomBytes(32).toString('hex')}` as const);
  await writeWhole(join(dir, 'anvil.json'), JSON.stringify({ port, instanceId } satisfies Remembered));
  if (marker === null) await callRpc(rpcUrl, 'anvil_setCode', [MARKER_ADDRESS, instanceId]);
  return instanceId;
}

async function readMarker(rpcUrl: string): Promise<Hex | null> {
  const code = await callHex(rpcUrl, 'eth_getCode', [MARKER_ADDRESS, 'latest']);
  return code === '0x' ? null : code;
}

/** A file that is damaged is as good as none: it only costs another port. */
async function readRemembered(dir: string): Promise<Remembered | null> {
  const text = await readIfThere(join(dir, 'anvil.json'));
  if (text === null) return null;
  try {
    return rememberedSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
