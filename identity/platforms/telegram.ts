import { telegram as row } from '../../core/platforms/telegram.ts';
import type { Resolver } from '../port.ts';
import type { PlatformIdentity } from './platform-identity.ts';

/** Telegram tells nobody whose name a name is: only the id itself, which the bot has seen, identifies. */
export const resolveTelegram: Resolver = async ({ key }) =>
  row.isUserId(key) ? { kind: 'found', stableId: key } : { kind: 'unavailable' };

export const telegram: PlatformIdentity = { resolving: () => () => resolveTelegram };
