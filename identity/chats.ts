import { telegram } from '../core/platforms/telegram.ts';
import type { Resolver } from './port.ts';

/** A Discord recipient is a user id already. */
export const resolveDiscord: Resolver = async ({ key }) => ({ kind: 'found', stableId: key });

/** Telegram tells nobody whose name a name is: only the id itself, which the bot has seen, identifies. */
export const resolveTelegram: Resolver = async ({ key }) =>
  telegram.isUserId(key) ? { kind: 'found', stableId: key } : { kind: 'unavailable' };
