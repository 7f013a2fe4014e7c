import type { Bot } from 'grammy';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { publishMenu } from './menu.ts';
import { UPDATE_KINDS } from './update.ts';
import { WEBHOOK_PATH } from './webhook.ts';

/** Where Telegram calls us: an address that it can reach, and the secret by which its calls are known. */
export type WebhookSettings = { url: string; secret: string };

type Deps = { clock: Clock; log: Log; retryMs: number; isClosed: () => boolean };

/** All that comes before the first update: who we are, what we offer, how we are told. Goes on until Telegram answers. */
export async function introduce(bot: Bot, webhook: WebhookSettings | null, deps: Deps): Promise<void> {
  while (!deps.isClosed()) {
    try {
      bot.botInfo = await bot.api.getMe();
      await publishMenu(bot.api);
      if (webhook === null) await bot.api.deleteWebhook();
      else await setWebhook(bot, webhook);
      return;
    } catch (error) {
      deps.log.error({ error: String(error) }, 'Telegram does not let us in yet; trying again');
      await deps.clock.sleep(deps.retryMs);
    }
  }
}

async function setWebhook(bot: Bot, { url, secret }: WebhookSettings): Promise<void> {
  await bot.api.setWebhook(`${url}${WEBHOOK_PATH}`, { secret_token: secret, allowed_updates: UPDATE_KINDS });
}
