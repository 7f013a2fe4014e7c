/**
 * The local Solana network as the rest of local mode sees it: a chain on loopback that outlives us, with play USDC at its
 * mainnet address, and a tap for it. What `dir` holds: `running.json` (process, port and chain), `solana.pid`,
 * `solana.log`, `state.json` (the chain as it was saved last).
 */
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Address } from '@solana/kit';
import type { MicroUsdc } from '../../core/money.ts';
import type { Log } from '../base/anvil.ts';
import { withLock } from '../base/lock.ts';
import { callRpc } from '../base/rpc.ts';
import { USDC_MINT } from './addresses.ts';
import { type Running, readRunning, writeRunning } from './running.ts';
import { readLivePid, spawnServer, stopServer, waitUntilReady } from './server-process.ts';
import { toRpcUrl, toWsUrl } from './urls.ts';
import { readUsdcBalance } from './usdc-balance.ts';

/** Mainnet's today: 150 blocks, the life of a blockhash, last half a minute. */
const SLOT_MS = 200;
const ADOPT_WITHIN_MS = 5_000;

export type SolanaOptions = {
  dir: string;
  /** 200 unless told; 0 begins blocks on demand only. A chain that already runs keeps its own. */
  slotMs?: number;
  /**
   * For JSON-RPC; the one above it is for websockets. Refused when another program has one of them. Without it, free
   * ports are chosen once and kept while they stay free.
   */
  port?: number;
  log?: Log;
};

export type LocalSolana = {
  /** Where the chain is kept. */
  dir: string;
  rpcUrl: string;
  wsUrl: string;
  pid: number;
  /** 32 random bytes in hex: another value means another chain, whatever the port says. */
  instanceId: string;
  origin: 'fresh' | 'restored' | 'adopted';
  usdcMint: Address;
  /** What the owner's token account has in the newest block. */
  usdcBalance: (owner: string) => Promise<MicroUsdc>;
  /** Mints play USDC, into a new token account if need be, by a transaction that is confirmed at once. */
  fundUsdc: (owner: string, amount: MicroUsdc) => Promise<void>;
  /** Adds to what the address has, by a transaction that is confirmed at once. */
  fundSol: (to: string, lamports: bigint) => Promise<void>;
  /** Begins so many blocks at once: 32 finalize everything, 150 end every blockhash. */
  warpSlots: (count: number) => Promise<void>;
  /** Stops the chain with its state saved, for whoever else uses it too. */
  close: () => Promise<void>;
};

type Started = { running: Running; origin: LocalSolana['origin'] };

/** Adopts the chain that runs for `dir`, or starts one. Several processes may call this at once: one of them starts it. */
export async function startLocalSolana(options: SolanaOptions): Promise<LocalSolana> {
  const dir = resolve(options.dir);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  return withLock(dir, 'solana', async () => {
    const { running, origin } = (await adopt(dir, options)) ?? (await start(dir, options));
    const network = toNetwork(dir, running, origin);
    options.log?.info({ rpcUrl: network.rpcUrl, pid: running.pid, origin }, 'local Solana network is ready');
    return network;
  });
}

async function adopt(dir: string, { port }: SolanaOptions): Promise<Started | null> {
  const pid = await readLivePid(dir);
  if (pid === null) return null;
  const running = await waitUntilReady(dir, pid, ADOPT_WITHIN_MS).catch(() => null);
  if (!running || 'lastWords' in running) return null;
  if (port !== undefined && port !== running.port) {
    await stopServer(running);
    return null;
  }
  return { running, origin: 'adopted' };
}

async function start(dir: string, { port, slotMs = SLOT_MS, log }: SolanaOptions): Promise<Started> {
  const before = await readRunning(dir);
  const preferredPort = before?.port;
  // The new process may get the number of the old one, whose word must then not be taken for its own.
  if (before) await writeRunning(dir, { ...before, pid: 0 });
  const pid = spawnServer({ dir, slotMs, port, preferredPort });
  const running = await waitUntilReady(dir, pid);
  if ('lastWords' in running) {
    throw new Error(`the local Solana network ended at once: ${running.lastWords || 'it said nothing'}`);
  }
  for (const warning of running.warnings) log?.warn({ dir }, warning);
  return { running, origin: running.origin };
}

async function close(dir: string, running: Running): Promise<void> {
  await withLock(dir, 'solana', async () => {
    // Somebody may have closed it before and started another one.
    if ((await readLivePid(dir)) === running.pid) await stopServer(running);
  });
}

function toNetwork(dir: string, running: Running, origin: LocalSolana['origin']): LocalSolana {
  const rpcUrl = toRpcUrl(running.port);
  const { pid, instanceId } = running;
  return {
    dir,
    rpcUrl,
    pid,
    instanceId,
    origin,
    wsUrl: toWsUrl(running.port),
    usdcMint: USDC_MINT,
    usdcBalance: (owner) => readUsdcBalance(rpcUrl, owner),
    async fundUsdc(owner, amount) {
      await callRpc(rpcUrl, 'local_mintUsdc', [owner, amount.toString()]);
    },
    async fundSol(to, lamports) {
      await callRpc(rpcUrl, 'local_airdrop', [to, lamports.toString()]);
    },
    async warpSlots(count) {
      await callRpc(rpcUrl, 'local_warpSlots', [count]);
    },
    close: () => close(dir, running),
  };
}
