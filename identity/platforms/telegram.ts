import { telegram as row } from '../../core/platforms/telegram.ts';
import type { Resolver } from '../port.ts';
import type { PlatformIdentity } from './platform-identity.ts';

/** Telegram does not tell whose name a name is. Only an id, which the bot has seen, identifies a person. */
export const resolveTelegram: Resolver = async ({ key }) =>
  row.isUserId(key) ? { kind: 'found', stableId: key } : { kind: 'unavailable' };

export const telegram: PlatformIdentity = { resolving: () => () => resolveTelegram };
