import { run } from '@grammyjs/runner';
import { GrammyError, type Bot } from 'grammy';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { POLL_SECONDS } from './client.ts';
import { publishMenu, type IsOffered } from './menu/commands.ts';
import { UPDATE_KINDS } from './update.ts';
import { WEBHOOK_PATH } from './webhook.ts';

/** Where Telegram calls us: an address that it can reach, and the secret by which its calls are known. */
export type WebhookSettings = { url: string; secret: string };

/** `onHeard`: told whether Telegram lets us in, each time that this may have changed. */
type Heard = { onHeard?: ((isIn: boolean) => void) | undefined };

type IntroductionDeps = {
  clock: Clock;
  log: Log;
  retryMs: number;
  isClosed: () => boolean;
  /** Whether this installation offers a command. */
  isHere: IsOffered;
  /** Whether groups without a menu of their own have it. */
  isInGroups: IsOffered;
} & Heard;

/** Everything before the first update: who we are, what we offer, how we get updates. Goes on until Telegram answers. */
export async function introduce(bot: Bot, webhook: WebhookSettings | null, deps: IntroductionDeps): Promise<void> {
  while (!deps.isClosed()) {
    try {
      bot.botInfo = await bot.api.getMe();
      await publishMenu(bot.api, deps.isHere, deps.isInGroups);
      if (webhook === null) await bot.api.deleteWebhook();
      else await setWebhook(bot, webhook);
      deps.onHeard?.(true);
      return;
    } catch (error) {
      deps.onHeard?.(false);
      deps.log.error({ error: String(error) }, 'Telegram does not let us in yet; trying again');
      await deps.clock.sleep(deps.retryMs);
    }
  }
}

async function setWebhook(bot: Bot, { url, secret }: WebhookSettings): Promise<void> {
  await bot.api.setWebhook(`${url}${WEBHOOK_PATH}`, { secret_token: secret, allowed_updates: UPDATE_KINDS });
}

export type Polling = { close: () => Promise<void> };

type Deps = { clock: Clock; log: Log; retryMs: number } & Heard;

/** Each update only waits for the core, so there may be many: the database is the bottleneck. */
const CONCURRENCY = 1_000;
/** Another process polls, or the token is wrong: neither passes by itself at once. */
const REFUSED_RETRY_MS = 3_000;

/** Asks for updates until it is closed, whatever Telegram answers. */
export function startPolling(bot: Bot, { clock, log, retryMs, onHeard }: Deps): Polling {
  let stop: (() => Promise<void>) | null = null;
  let isClosed = false;

  /** After a refusal: whether the token counts again, which a poll alone does not tell. */
  async function isLetIn(): Promise<boolean> {
    const isIn = await bot.api.getMe().then(
      () => true,
      () => false,
    );
    onHeard?.(isIn);
    return isIn;
  }

  async function poll(): Promise<void> {
    let isRefused = false;
    while (!isClosed) {
      if (isRefused && !(await isLetIn())) {
        await clock.sleep(REFUSED_RETRY_MS);
        continue;
      }
      isRefused = false;
      const fetch = { timeout: POLL_SECONDS, allowed_updates: UPDATE_KINDS };
      const runner = run(bot, {
        runner: { fetch, silent: true, retryInterval: retryMs },
        sink: { concurrency: CONCURRENCY },
      });
      const task = runner.task() ?? Promise.resolve();
      stop = () => (runner.isRunning() ? runner.stop() : task);
      try {
        await task;
      } catch (error) {
        const code = error instanceof GrammyError ? error.error_code : null;
        isRefused = code !== null && code !== 409;
        if (isRefused) onHeard?.(false);
        log.warn({ code }, code === 409 ? 'another process asks for the updates' : 'polling was refused; it goes on');
        await clock.sleep(Math.max(retryMs, code === null ? 0 : REFUSED_RETRY_MS));
      }
    }
  }

  // What is left to reject is the sleep of a clock that closes.
  const work = poll().catch(() => undefined);
  return {
    close: async () => {
      isClosed = true;
      await stop?.().catch(() => undefined);
      await work;
    },
  };
}
