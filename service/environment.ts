import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../core/config/config.ts';
import { Misconfigured } from '../core/config/misconfigured.ts';
import { networkTitle, type Network } from '../core/networks.ts';
import type { Identity } from '../identity/port.ts';
import type { Proofs } from '../identity/proofs/proofs.ts';
import type { RedisTarget } from '../queue/connection.ts';
import { createIdentity } from './identity.ts';
import { startProofs, type RunningProofs } from './proofs.ts';
import { readRedisTls } from './queue/redis-tls.ts';
import type { Waits } from './readiness/waits.ts';
import { localKeysOf, readNode, type NetworkNode } from './networks/keys.ts';

/** What the service runs on: chains, keys, a Redis, and providers that know who owns a name. */
export type ServiceEnvironment = {
  /** The networks that are offered, in the order of `NETWORKS`. */
  nodes: ReadonlyMap<Network, NetworkNode>;
  redis: RedisTarget;
  identity: Identity;
  /** How people prove that a name is theirs. */
  proofs: Proofs;
  signInOrigin: RunningProofs['signInOrigin'];
  /** Null outside local mode. */
  localPages: RunningProofs['localPages'];
  hub: RunningProofs['hub'];
  farcasterHubUrl: RunningProofs['farcasterHubUrl'];
  chatWalletSeed: Uint8Array | null;
  botApiToken: string | null;
  /** Gives play money to an address; empty outside local mode. */
  faucets: ReadonlyMap<Network, (address: string) => Promise<void>>;
  payersFile?: string;
  /** Further values that tie the database to this environment, each under its network. */
  stamp: Record<string, string>;
  /** Replaces the error of a stamp that does not fit by one that says what to do. */
  explainStamp: (error: unknown) => never;
  close: () => Promise<void>;
};

/** What takes longer than this is skipped for now. */
const REDIS_START_MS = 3_000;

type Options = {
  config: Config;
  /** Where the service is reached from outside. */
  baseUrl: string;
  progress: (text: string) => void;
  addSecrets: (secrets: readonly string[]) => void;
  log: Logger;
  waits: Pick<Waits, 'until'>;
  /** Of the local Solana. */
  slotMs?: number;
};

type Closers = (() => Promise<void>)[];
/** What differs between local mode and any other. */
type World = Omit<ServiceEnvironment, 'identity' | keyof RunningProofs | 'redis'>;

/** Local mode brings its own world; any other mode is configured with the real one. */
export async function prepareEnvironment(options: Options): Promise<ServiceEnvironment> {
  const { config } = options;
  const closers: Closers = [];
  const close = async () => {
    while (closers.length > 0) await closers.pop()?.();
  };
  try {
    const redis = await openRedis(options, closers);
    const identity = createIdentity(config, options.log);
    closers.push(identity.close);
    const { close: closeProofs, ...proving } = await startProofs(options);
    closers.push(closeProofs);
    const world = config.mode === 'local' ? await startLocalWorld(options, closers) : configured(config);
    return { ...world, ...proving, identity, redis, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startLocalWorld(options: Options, closers: Closers): Promise<World> {
  const { config, progress, addSecrets, log, slotMs } = options;
  const { networks, dataDir, localBlockMs: blockTimeMs } = config;
  const keys = localKeysOf(config);
  // The keys of some networks derive from those of others.
  const made = networks.flatMap((network) =>
    Object.values<string | readonly string[]>(readNode(config, network, '').keys).flat(),
  );
  addSecrets([...new Set([...Object.values(keys).flat(), ...made])]);
  const titles = networks.map((network) => networkTitle(network, null));
  progress(`Starting ${titles.length > 1 ? 'local chains' : 'a local chain'} with play money: ${titles.join(', ')} …`);
  const { startLocalMode } = await import('../local/mode.ts');
  const local = await startLocalMode({ dataDir, networks, keys, blockTimeMs, slotMs, log });
  closers.push(local.close);
  const { chains, faucets, payersFile } = local;
  return {
    nodes: new Map([...chains].map(([network, { rpcUrl }]) => [network, readNode(config, network, rpcUrl)])),
    chatWalletSeed: Buffer.from(keys.chatWalletSeed, 'hex'),
    botApiToken: keys.botApiToken,
    faucets,
    payersFile,
    stamp: Object.fromEntries([...chains].map(([network, { instanceId }]) => [`${network}:instance`, instanceId])),
    explainStamp: (error) => {
      if (!(error instanceof Misconfigured)) throw error;
      throw new Misconfigured(
        'The books in DATA_DIR are from another run of a local chain, whose state is gone. Start over with: npm start -- --reset',
        { cause: error },
      );
    },
  };
}

async function openRedis(options: Options, closers: Closers): Promise<RedisTarget> {
  const { config } = options;
  const { redisUrl } = config;
  if (redisUrl.kind === 'private') return openPrivateRedis(options, closers);
  const url = redisUrl.kind === 'single' ? redisUrl.url : redisUrl.urls.join(',');
  return { url, tls: readRedisTls(config) };
}

/** A Redis that does not come up is waited for beside everything else, like one at REDIS_URL. */
async function openPrivateRedis({ config, progress, waits }: Options, closers: Closers): Promise<RedisTarget> {
  const { dataDirRedisPath, startDataDirRedis } = await import('../local/mode.ts');
  progress('Starting a private Redis …');
  const path = dataDirRedisPath(config.dataDir);
  const start = () => startDataDirRedis(config.dataDir);
  const first = start();
  const running = first
    .catch((error: unknown) => (error instanceof Misconfigured ? null : waits.until('the private Redis', start)))
    // Rejected only when the process is stopped.
    .catch(() => null);
  closers.push(async () => (await running)?.close());
  await Promise.race([first.catch(rethrowMisconfigured), sleep(REDIS_START_MS, undefined, { ref: false })]);
  return { path };
}

function rethrowMisconfigured(error: unknown): void {
  if (error instanceof Misconfigured) throw error;
}

function configured(config: Config): World {
  const { chatWalletSeed: seed } = config;
  return {
    nodes: new Map(config.networks.map((network) => [network, readNode(config, network)])),
    faucets: new Map(),
    chatWalletSeed: seed === undefined ? null : Buffer.from(seed.replace(/^0x/, ''), 'hex'),
    botApiToken: config.botApiToken ?? null,
    stamp: {},
    explainStamp: (error) => {
      throw error;
    },
  };
}
