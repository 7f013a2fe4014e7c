import type { Logger } from 'pino';
import type { Config } from '../core/config/config.ts';
import { configuredPlatforms } from '../identity/platforms/offered.ts';
import type { Identity } from '../identity/port.ts';
import { createResolver } from '../identity/resolve.ts';
import { createResolvers } from '../identity/platforms/resolvers.ts';
import { createLocalIdentity } from '../local/identity.ts';

export type ClosableIdentity = Identity & { close: () => Promise<void> };

/** Resolves the owners of names: stand-ins in local mode, the configured providers elsewhere. */
export function createIdentity(config: Config, log: Pick<Logger, 'warn' | 'info'>): ClosableIdentity {
  if (config.mode === 'local') return { ...createLocalIdentity(config.platforms), close: async () => undefined };
  const { resolvers, close } = createResolvers(config.identity, { log, now: () => Date.now() });
  const chats = { discord: config.discord !== undefined, telegram: config.telegram !== undefined };
  const able = configuredPlatforms(config.identity, chats);
  const { platforms } = config;
  return {
    platforms: platforms === 'configured' ? able : able.filter((platform) => platforms.includes(platform)),
    ...createResolver({ resolvers, now: () => Date.now(), log }),
    close: async () => {
      await close();
    },
  };
}
