import { randomBytes } from 'node:crypto';
import { createClock } from '../../../../bot/shared/clock.ts';
import { TELEGRAM_TRANSPORT } from '../../../../bot/telegram/place.ts';
import { createTelegram } from '../../../../bot/telegram/start.ts';
import { createIds } from '../../../../core/ids.ts';
import { startFakeTelegram } from '../../../fakes/telegram/start.ts';
import { NO_LIMITS } from '../../telegram/telegram-harness.ts';
import type { Transport } from './transport.ts';
import { createTelegramDriver } from './telegram-driver.ts';
import { createRateLimits } from '../../../../queue/rate-limiter.ts';

/** A local Telegram, asked by long polling. How fast the bot may speak is the business of other tests. */
export async function openTelegramTransport(): Promise<Transport> {
  const telegram = await startFakeTelegram({ limits: null, botUsername: 'penny_bot' });
  return {
    driver: createTelegramDriver(telegram),
    async connect({ deps, store, bot, closing }) {
      const chat = createTelegram({
        token: telegram.token,
        apiUrl: telegram.url,
        webhook: null,
        limits: createRateLimits(Date.now),
        store,
        ids: createIds(randomBytes),
        addressOf: deps.networks[0].addressOf,
        // Dates of messages come from Telegram's clock, which goes by itself.
        clock: createClock(closing.signal),
        log: deps.log,
        pace: NO_LIMITS,
        retryMs: 20,
      });
      Object.assign(deps, { messengers: { [TELEGRAM_TRANSPORT]: chat.messenger } });
      chat.start(bot);
      return {
        stopHearing: () => chat.close(),
        close: async () => undefined,
        isQuiet: () => chat.waiting() === 0,
      };
    },
  };
}
