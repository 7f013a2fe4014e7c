import { mkdirSync } from 'node:fs';
import { toBaseUrl } from '../core/config/sections.ts';
import { openStore } from '../db/open.ts';
import { stampStore } from '../db/stamp.ts';
import { readCursor } from '../db/scan/cursor.ts';
import type { Store } from '../db/store.ts';
import { createBaseParts, type BaseParts } from './base.ts';
import { createSolanaParts, type SolanaParts } from './solana.ts';
import { listen, type HttpServer } from './http.ts';
import { connectQueue, type QueueConnection } from './queue.ts';
import type { ServiceOptions } from './options.ts';
import { prepareSurroundings, type Surroundings } from './surroundings.ts';

/** What every role of a process shares. */
export type Foundations = {
  server: HttpServer;
  /** Where this process listens. */
  url: string;
  /** Where the service is reached from outside: part of every link. */
  baseUrl: string;
  surroundings: Surroundings;
  /** Null when the network is not offered; local mode always has it. */
  base: BaseParts | null;
  /** Null when the network is not offered. */
  solana: SolanaParts | null;
  store: Store;
  queue: QueueConnection;
};

/** Closers, run in the reverse order of opening. */
export type Opened = (() => Promise<void>)[];

/** Opens everything in the order in which a failure is cheapest to tell: the port, the world outside, the data. */
export async function layFoundations(
  options: ServiceOptions,
  opened: Opened,
  onBell: (outboxId: number) => Promise<void>,
): Promise<Foundations> {
  const { config, log, roles } = options;
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const server = await listen(config.http.host, config.http.port);
  opened.push(server.close);
  const url = toBaseUrl(config.http.host, server.port);

  const baseUrl = config.http.baseUrl ?? url;
  const surroundings = await prepareSurroundings({ ...options, baseUrl });
  opened.push(surroundings.close);
  const base = surroundings.base && createBaseParts(config.mode, surroundings.base.rpcUrl, surroundings.base.keys);
  if (base !== null) await checkChain(base);
  const solana =
    surroundings.solana && createSolanaParts(config.mode, surroundings.solana.rpcUrl, surroundings.solana.keys);
  if (solana !== null) await checkCluster(solana, config.mode);

  const stamp = {
    ...(base && stampOf('base', base.profile, base.treasury, base.task)),
    ...(solana && stampOf('solana', solana.profile, solana.treasury, solana.task?.key ?? null)),
  };
  const store = await openStore(config.databaseUrl);
  opened.push(store.close);
  const { mode } = config;
  await stampStore(store, { mode }, { ...stamp, ...surroundings.stamp }).catch(surroundings.explainStamp);
  if (config.mode === 'local') {
    if (base !== null) await checkBooks(store, base, surroundings);
    if (solana !== null) await checkSolanaBooks(store, solana, surroundings);
  }
  const runsWorker = roles.includes('worker');
  const queue = await connectQueue({
    target: surroundings.redis,
    stamp: queueStamp(mode, base ?? solana),
    log,
    runsWorker,
    onBell,
  });
  opened.push(queue.close);
  return { server, url, baseUrl, surroundings, base, solana, store, queue };
}

/** The queue carries bells only, so one network says enough about whose they are. */
function queueStamp(mode: string, parts: BaseParts | SolanaParts | null) {
  if (parts === null) throw new Error('no network is offered');
  const { profile, treasury } = parts;
  return { mode, chain: profile.caip2, token: profile.usdc, treasury: treasury.address };
}

type Address = { address: string };

/** What ties the books to a network's chain, token, treasury, and to where tasks are paid, once that is configured. */
function stampOf(
  network: string,
  { caip2, usdc }: { caip2: string; usdc: string },
  treasury: Address,
  task: Address | null,
) {
  return {
    [`${network}:chain`]: caip2,
    [`${network}:token`]: usdc,
    [`${network}:treasury`]: treasury.address,
    ...(task && { [`${network}:task`]: task.address }),
  };
}

/** A local chain that was killed comes back older than the books: they would then speak of blocks that never were. */
async function checkBooks(store: Store, { rpc, profile }: BaseParts, surroundings: Surroundings): Promise<void> {
  const cursor = await readCursor(store, profile.network);
  if (cursor === null) return;
  const [header] = await rpc.blocks(cursor.block, cursor.block);
  if (header?.hash !== cursor.blockHash) surroundings.explainStamp(new Error('the chain is older than the books'));
}

/** A wrong or dead node is said at once, before anything depends on it. */
async function checkChain({ rpc, profile }: BaseParts): Promise<void> {
  const chainId = await rpc.chainId().catch((cause: unknown) => {
    throw new Error('BASE_RPC_URL does not answer. Check that the node runs and that the address is right.', { cause });
  });
  if (chainId !== profile.chainId) {
    throw new Error(`BASE_RPC_URL is chain ${chainId}; this mode needs chain ${profile.chainId}.`);
  }
}

/** Slots are never taken back: a chain below the books' last slot, or without their last transaction, is older. */
async function checkSolanaBooks(
  store: Store,
  { rpc, profile }: SolanaParts,
  surroundings: Surroundings,
): Promise<void> {
  const cursor = await readCursor(store, profile.network);
  if (cursor === null) return;
  const isOlder = new Error('the Solana chain is older than the books');
  if ((await rpc.slot('processed')) < cursor.finalizedBlock) surroundings.explainStamp(isOlder);
  if (cursor.blockHash === '') return;
  const { statuses } = await rpc.statuses([cursor.blockHash]);
  if (statuses[0] === null) surroundings.explainStamp(isOlder);
}

/** A wrong or dead node is said at once, before anything depends on it. The local chain has a genesis of its own. */
async function checkCluster({ rpc, profile }: SolanaParts, mode: string): Promise<void> {
  const genesisHash = await rpc.genesisHash().catch((cause: unknown) => {
    throw new Error('SOLANA_RPC_URL does not answer. Check that the node runs and that the address is right.', {
      cause,
    });
  });
  if (mode !== 'local' && genesisHash !== profile.genesisHash) {
    throw new Error(
      `SOLANA_RPC_URL is another cluster: its genesis is ${genesisHash}, this mode needs ${profile.genesisHash}.`,
    );
  }
}
