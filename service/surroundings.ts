import type { Logger } from 'pino';
import type { Config } from '../core/config.ts';
import type { Identity } from '../identity/port.ts';
import type { Proofs } from '../identity/proofs/proofs.ts';
import type { RedisTarget } from '../queue/connection.ts';
import type { BaseKeys } from './base.ts';
import { createIdentity } from './identity.ts';
import { startProofs, type RunningProofs } from './proofs.ts';
import { localKeysOf, readBaseKeys, readSolanaKeys, type SolanaKeys } from './keys.ts';

type Hex = `0x${string}`;

/** What the service stands on: chains, keys, a Redis, and somebody who knows who owns a name. */
export type Surroundings = {
  /** Null when it is not among the networks; local mode always has it. */
  base: { rpcUrl: string; keys: BaseKeys } | null;
  /** Null when it is not among the networks. */
  solana: { rpcUrl: string; keys: SolanaKeys } | null;
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
  /** Gives play money to an address on Base. */
  faucet?: (address: Hex) => Promise<void>;
  /** The same on Solana. */
  solanaFaucet?: (address: string) => Promise<void>;
  payersFile?: string;
  /** Further values that tie the database to these surroundings, each under its network. */
  stamp: Record<string, string>;
  /** Turns a stamp that does not fit into words that say what to do. */
  explainStamp: (error: unknown) => never;
  close: () => Promise<void>;
};

type Options = {
  config: Config;
  /** Where the service is reached from outside. */
  baseUrl: string;
  progress: (text: string) => void;
  addSecrets: (secrets: readonly string[]) => void;
  log: Logger;
  /** Of the local chains. */
  blockTimeMs?: number;
  slotMs?: number;
};

type Closers = (() => Promise<void>)[];
/** What differs between local mode and any other. */
type World = Omit<Surroundings, 'identity' | keyof RunningProofs | 'redis'>;

/** Local mode brings its own world; any other mode is told where the real one is. */
export async function prepareSurroundings(options: Options): Promise<Surroundings> {
  const { config, progress } = options;
  const { startDataDirRedis } = await import('../local/mode.ts');
  const closers: Closers = [];
  const close = async () => {
    while (closers.length > 0) await closers.pop()?.();
  };
  try {
    const redis = await openRedis(config, progress, closers, startDataDirRedis);
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
  const { config, progress, addSecrets, log, blockTimeMs, slotMs } = options;
  const { networks, dataDir } = config;
  const keys = localKeysOf(config);
  const solanaKeys = readSolanaKeys(config);
  addSecrets([keys.treasuryKey, keys.taskKey, ...keys.laneKeys, keys.chatWalletSeed, keys.botApiToken]);
  addSecrets(Object.values(solanaKeys));
  const chains = networks.includes('solana') ? 'local Base and Solana chains' : 'a local Base chain';
  progress(`Starting ${chains} with play money …`);
  const { startLocalMode } = await import('../local/mode.ts');
  const local = await startLocalMode({ dataDir, networks, keys, blockTimeMs, slotMs, log });
  closers.push(local.close);
  const { base, solana, faucet, solanaFaucet, payersFile } = local;
  return {
    base: { rpcUrl: base.rpcUrl, keys },
    solana: solana && { rpcUrl: solana.rpcUrl, keys: solanaKeys },
    chatWalletSeed: Buffer.from(keys.chatWalletSeed, 'hex'),
    botApiToken: keys.botApiToken,
    faucet,
    solanaFaucet,
    payersFile,
    stamp: { 'base:instance': base.instanceId, ...(solana && { 'solana:instance': solana.instanceId }) },
    explainStamp: (error) => {
      throw new Error(
        'The books in DATA_DIR are from another run of a local chain, whose state is gone. Start over with: npm start -- --reset',
        { cause: error },
      );
    },
  };
}

async function openRedis(
  config: Config,
  progress: (text: string) => void,
  closers: Closers,
  startDataDirRedis: (dataDir: string) => Promise<{ path: string; close: () => Promise<void> }>,
): Promise<RedisTarget> {
  const { redisUrl } = config;
  if (redisUrl.kind === 'single') return { url: redisUrl.url };
  if (redisUrl.kind === 'cluster') return { url: redisUrl.urls.join(',') };
  progress('Starting a private Redis …');
  const redis = await startDataDirRedis(config.dataDir);
  closers.push(redis.close);
  return { path: redis.path };
}

function configured(config: Config): World {
  const { chatWalletSeed: seed } = config;
  return {
    base: config.networks.includes('base') ? configuredBase(config) : null,
    solana: config.networks.includes('solana') ? configuredSolana(config) : null,
    chatWalletSeed: seed === undefined ? null : Buffer.from(seed.replace(/^0x/, ''), 'hex'),
    botApiToken: config.botApiToken ?? null,
    stamp: {},
    explainStamp: (error) => {
      throw error;
    },
  };
}

function configuredBase(config: Config): World['base'] {
  const { rpcUrl } = config.base;
  if (rpcUrl === undefined) throw new Error('BASE_RPC_URL is needed outside local mode.');
  return { rpcUrl, keys: readBaseKeys(config) };
}

function configuredSolana(config: Config): World['solana'] {
  const { rpcUrl } = config.solana;
  if (rpcUrl === undefined) throw new Error('SOLANA_RPC_URL is needed outside local mode.');
  return { rpcUrl, keys: readSolanaKeys(config) };
}
