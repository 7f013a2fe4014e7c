import type { Logger } from 'pino';
import type { Config } from '../core/config.ts';
import type { Identity } from '../identity/port.ts';
import type { RedisTarget } from '../queue/connection.ts';
import type { BaseKeys } from './base.ts';
import { createIdentity } from './identity.ts';
import { localKeysOf, readBaseKeys } from './keys.ts';

type Hex = `0x${string}`;

/** What the service stands on: a chain, keys, a Redis, and somebody who knows who owns a name. */
export type Surroundings = {
  base: { rpcUrl: string; keys: BaseKeys };
  redis: RedisTarget;
  identity: Identity;
  chatWalletSeed: Uint8Array | null;
  botApiToken: string | null;
  faucet?: (address: Hex) => Promise<void>;
  payersFile?: string;
  /** Further values that tie the database to these surroundings. */
  stamp: Record<string, string>;
  /** Turns a stamp that does not fit into words that say what to do. */
  explainStamp: (error: unknown) => never;
  close: () => Promise<void>;
};

type Options = {
  config: Config;
  progress: (text: string) => void;
  addSecrets: (secrets: readonly string[]) => void;
  log: Logger;
  blockTimeMs?: number;
};

/** Local mode brings its own world; any other mode is told where the real one is. */
export async function prepareSurroundings(options: Options): Promise<Surroundings> {
  const { config, progress } = options;
  const { startDataDirRedis, startLocalMode } = await import('../local/mode.ts');
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    while (closers.length > 0) await closers.pop()?.();
  };
  try {
    const redis = await openRedis(config, progress, closers, startDataDirRedis);
    const identity = createIdentity(config, options.log);
    closers.push(identity.close);
    if (config.mode !== 'local') return { ...configured(config), identity, redis, close };
    progress('Starting a local Base chain with play money …');
    const keys = localKeysOf(config);
    const local = await startLocalMode(config.dataDir, keys.laneKeys, options.blockTimeMs);
    closers.push(local.close);
    const { base } = local;
    options.addSecrets([keys.treasuryKey, keys.taskKey, ...keys.laneKeys, keys.chatWalletSeed, keys.botApiToken]);
    return {
      base: { rpcUrl: base.rpcUrl, keys },
      redis,
      identity,
      chatWalletSeed: Buffer.from(keys.chatWalletSeed, 'hex'),
      botApiToken: keys.botApiToken,
      faucet: local.faucet,
      payersFile: local.payersFile,
      stamp: { instance: base.instanceId },
      explainStamp: (error) => {
        throw new Error(
          'The books in DATA_DIR are from another run of the local chain, whose state is gone. Start over with: npm start -- --reset',
          { cause: error },
        );
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openRedis(
  config: Config,
  progress: (text: string) => void,
  closers: (() => Promise<void>)[],
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

function configured(config: Config): Omit<Surroundings, 'identity' | 'redis' | 'close'> {
  const { rpcUrl } = config.base;
  if (rpcUrl === undefined) throw new Error('BASE_RPC_URL is needed outside local mode.');
  const { chatWalletSeed: seed } = config;
  return {
    base: { rpcUrl, keys: readBaseKeys(config) },
    chatWalletSeed: seed === undefined ? null : Buffer.from(seed.replace(/^0x/, ''), 'hex'),
    botApiToken: config.botApiToken ?? null,
    stamp: {},
    explainStamp: (error) => {
      throw error;
    },
  };
}
