import { randomBytes } from 'node:crypto';
import { createIds } from '../core/ids.ts';
import type { Clock } from '../bot/clock.ts';
import { TELEGRAM_TRANSPORT } from '../bot/telegram/place.ts';
import { createTelegram, type Telegram } from '../bot/telegram/start.ts';
import { openMessage } from '../db/bot/telegram-messages.ts';
import type { ChatSender } from '../worker/receipts.ts';
import type { Foundations } from './foundations.ts';
import type { ServiceOptions } from './options.ts';

/** Says that there is something to be shown; the rows say what. */
const CHANNEL = TELEGRAM_TRANSPORT;

type Deps = { addressOf: (walletId: string) => string | Promise<string>; clock: Clock };

/** The bot on Telegram, for a service that has a token; it listens from its `start` on. */
export function createTelegramChat(options: ServiceOptions, foundations: Foundations, deps: Deps): Telegram | null {
  const { config, log } = options;
  const { store, queue, baseUrl } = foundations;
  if (config.telegram === undefined) return null;
  const { token, apiUrl, webhookSecret: secret } = config.telegram;
  const telegram = createTelegram({
    ...deps,
    token,
    apiUrl: apiUrl?.replace(/\/+$/, ''),
    webhook: secret === undefined ? null : { url: baseUrl.replace(/\/+$/, ''), secret },
    store,
    ids: createIds(randomBytes),
    log,
  });
  const unsubscribe = queue.subscribe(CHANNEL, () => {
    telegram.look().catch((error: unknown) => log.warn({ err: error }, 'nobody looked for new receipts'));
  });
  return {
    ...telegram,
    close: async () => {
      unsubscribe();
      await telegram.close();
    },
  };
}

/**
 * Posts receipts by writing down that they are to be shown. Only the bot speaks to Telegram: it alone knows how much may
 * still be said there, and what its key makes harmless to say again. So a worker needs no token.
 */
export function telegramSender({ store, queue }: Pick<Foundations, 'store' | 'queue'>, now: () => number): ChatSender {
  return async ({ chatId, onceKey, view }) => {
    const key = `receipt:${onceKey}`;
    await openMessage(store, { key, chatId, eventId: null, userId: null, language: null, view, nowMs: now() });
    queue.announce(CHANNEL);
  };
}
