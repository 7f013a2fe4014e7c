/** An unmodified grammY with the runner, as a bot in production has it; only `apiRoot` says that this is not Telegram. */
import { autoRetry } from '@grammyjs/auto-retry';
import { type RunnerHandle, run, sequentialize } from '@grammyjs/runner';
import { Bot } from 'grammy';
import type { FakeTelegram } from '../start.ts';
import type { UpdateKind } from '../queue.ts';

export type RunningBot = { bot: Bot; runner: RunnerHandle; stop: () => Promise<void> };

export function createBot(telegram: FakeTelegram): Bot {
  const bot = new Bot(telegram.token, { client: { apiRoot: telegram.url } });
  // Only 429 is tried again: after a lost reply the message may be there already, and a failed poll is the runner's.
  bot.api.config.use(autoRetry({ rethrowHttpErrors: true, rethrowInternalServerErrors: true }));
  bot.use(sequentialize((context) => String(context.chat?.id)));
  return bot;
}

export function runBot(bot: Bot, allowedUpdates?: UpdateKind[]): RunningBot {
  const fetch = allowedUpdates ? { allowed_updates: allowedUpdates } : {};
  const runner = run(bot, { runner: { fetch, silent: true, retryInterval: 10 } });
  return {
    bot,
    runner,
    stop: async () => {
      if (runner.isRunning()) await runner.stop();
    },
  };
}
