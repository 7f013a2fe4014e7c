import { mkdirSync } from 'node:fs';
import { toBaseUrl } from '../core/config/sections.ts';
import { openStore } from '../db/open.ts';
import { stampStore } from '../db/stamp.ts';
import { readCursor } from '../db/scan/cursor.ts';
import type { Store } from '../db/store.ts';
import { createBaseParts, type BaseParts } from './base.ts';
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
  parts: BaseParts;
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

  const surroundings = await prepareSurroundings(options);
  opened.push(surroundings.close);
  const parts = createBaseParts(config.mode, surroundings.base.rpcUrl, surroundings.base.keys);
  await checkChain(parts);

  const { profile, treasury } = parts;
  const stamp = { mode: config.mode, chain: profile.caip2, token: profile.usdc, treasury: treasury.address };
  const store = await openStore(config.databaseUrl);
  opened.push(store.close);
  await stampStore(store, { ...stamp, ...surroundings.stamp }).catch(surroundings.explainStamp);
  if (config.mode === 'local') await checkBooks(store, parts, surroundings);
  const runsWorker = roles.includes('worker');
  const queue = await connectQueue({ target: surroundings.redis, stamp, log, runsWorker, onBell });
  opened.push(queue.close);
  return { server, url, baseUrl: config.http.baseUrl ?? url, surroundings, parts, store, queue };
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
