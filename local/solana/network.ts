/**
 * The local Solana network as the rest of local mode sees it: a chain on loopback that outlives us, with play USDC at its
 * mainnet address, and a tap for it. What `dir` holds: `running.json` (process, port and chain), `solana.pid`,
 * `solana.log`, `state.json` (the chain as it was saved last).
 */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { solanaProfile } from '../../chain/solana/messages/profile.ts';
import type { MicroUsdc } from '../../core/money.ts';
import { withLock } from '../processes/directory-lock.ts';
import type { Log } from '../processes/log.ts';
import { callRpc, toRpcUrl } from '../processes/rpc.ts';
import { LAG_BLOCKS } from './chain/commitment.ts';
import { type Running, readRunning, writeRunning } from './server/running.ts';
import { readServerPid, spawnServer, stopServer, waitForServer } from './server/server-process.ts';
import { readSolBalance } from './sol-balance.ts';
import { findUsdcBalance, readUsdcBalance } from './usdc-balance.ts';
import { toWsUrl } from './server/ws-url.ts';

/** Mainnet's today: 150 blocks, the life of a blockhash, last half a minute. */
const SLOT_MS = 200;
const ADOPT_WITHIN_MS = 5_000;

export type SolanaOptions = {
  dir: string;
  /** 200 by default; 0 begins blocks on demand only. A chain that already runs keeps its own. */
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
  /** 32 random bytes in hex: another value means another chain, even on the same port. */
  instanceId: string;
  origin: 'fresh' | 'restored' | 'adopted';
  usdcMint: string;
  /** What the owner's token account has in the newest block. */
  usdcBalance: (owner: string) => Promise<MicroUsdc>;
  /** Mints play USDC, into a new token account if need be, by a transaction that is confirmed at once. */
  fundUsdc: (owner: string, amount: MicroUsdc) => Promise<void>;
  /** Makes sure that the owner has a token account, into which x402 can pay. */
  ensureUsdcAccount: (owner: string) => Promise<void>;
  /** In lamports, in the newest block. */
  solBalance: (address: string) => Promise<bigint>;
  /** Adds to what the address has, by a transaction that is confirmed at once. */
  fundSol: (to: string, lamports: bigint) => Promise<void>;
  /** Begins so many blocks at once: 150 end every blockhash. */
  warpSlots: (count: number) => Promise<void>;
  /** Begins as many blocks at once as it takes until everything is finalized. */
  finalize: () => Promise<void>;
  /** Saves the chain's state and stops it, for every process that uses it. */
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

/** Ends the chain that runs for `dir`, if one does, with its state saved. */
export async function stopLocalSolana(dir: string): Promise<void> {
  if (!existsSync(dir)) return;
  await withLock(dir, 'solana', async () => {
    const adopted = await adopt(resolve(dir), {});
    if (adopted) await stopServer(dir, adopted.running);
  });
}

async function adopt(dir: string, { port }: Pick<SolanaOptions, 'port'>): Promise<Started | null> {
  const pid = await readServerPid(dir);
  if (pid === null) return null;
  const running = await waitForServer(dir, pid, ADOPT_WITHIN_MS).catch(() => null);
  if (!running || 'lastOutput' in running) return null;
  if (port !== undefined && port !== running.port) {
    await stopServer(dir, running);
    return null;
  }
  return { running, origin: 'adopted' };
}

async function start(dir: string, { port, slotMs = SLOT_MS, log }: SolanaOptions): Promise<Started> {
  const before = await readRunning(dir);
  const preferredPort = before?.port;
  // The new process may get the number of the old one, whose entry must then not be taken for its own.
  if (before) await writeRunning(dir, { ...before, pid: 0 });
  const pid = spawnServer({ dir, slotMs, port, preferredPort });
  const running = await waitForServer(dir, pid);
  if ('lastOutput' in running) {
    throw new Error(`the local Solana network ended at once: ${running.lastOutput || 'it said nothing'}`);
  }
  for (const warning of running.warnings) log?.warn({ dir }, warning);
  return { running, origin: running.origin };
}

async function close(dir: string, running: Running): Promise<void> {
  await withLock(dir, 'solana', async () => {
    // Another process may have closed it before and started a new one.
    if ((await readServerPid(dir)) === running.pid) await stopServer(dir, running);
  });
}

function toNetwork(dir: string, running: Running, origin: LocalSolana['origin']): LocalSolana {
  const rpcUrl = toRpcUrl(running.port);
  const { pid, instanceId } = running;

  async function warpSlots(count: number): Promise<void> {
    await callRpc(rpcUrl, 'local_warpSlots', [count]);
  }

  return {
    dir,
    rpcUrl,
    pid,
    instanceId,
    origin,
    wsUrl: toWsUrl(running.port),
    usdcMint: solanaProfile('local').usdc,
    usdcBalance: (owner) => readUsdcBalance(rpcUrl, owner),
    async fundUsdc(owner, amount) {
      await callRpc(rpcUrl, 'local_mintUsdc', [owner, amount.toString()]);
    },
    async ensureUsdcAccount(owner) {
      if ((await findUsdcBalance(rpcUrl, owner)) === null) await callRpc(rpcUrl, 'local_openUsdcAccount', [owner]);
    },
    solBalance: (address) => readSolBalance(rpcUrl, address),
    async fundSol(to, lamports) {
      await callRpc(rpcUrl, 'local_airdrop', [to, lamports.toString()]);
    },
    warpSlots,
    finalize: () => warpSlots(LAG_BLOCKS.finalized),
    close: () => close(dir, running),
  };
}
