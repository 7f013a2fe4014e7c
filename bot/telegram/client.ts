import { autoRetry } from '@grammyjs/auto-retry';
import { sequentialize } from '@grammyjs/runner';
import { Api, Bot, type Context } from 'grammy';
import type { Log } from '../shared/log.ts';
import type { Inbox } from '../inbox/inbox.ts';
import { readUpdates, updateIdOf, type KnownUpdate } from './update.ts';

/** Longer than a poll, which answers by itself after this time. */
export const POLL_SECONDS = 25;
const CALL_SECONDS = 15;
const POLL_CALL_SECONDS = POLL_SECONDS + 15;
const RETRIES_MAX = 3;
const RETRY_DELAY_MAX_SECONDS = 30;

export type ClientOptions = { token: string; apiUrl: string | undefined };
export type ListenerDeps = {
  inbox: Pick<Inbox<KnownUpdate>, 'store' | 'work'>;
  /** Whether Telegram calls, instead of being asked. */
  isCalled: boolean;
  /** Whether this process is the one that listens. */
  isMine: () => boolean;
  log: Log;
};

/**
 * For what the bot shows. Every call is made once: its caller knows what may be repeated, and a retry that waits inside
 * the call would show an outdated view.
 */
export function createShowingApi({ token, apiUrl }: ClientOptions): Api {
  return new Api(token, { timeoutSeconds: CALL_SECONDS, ...(apiUrl === undefined ? {} : { apiRoot: apiUrl }) });
}

/** For everything else: it listens, and stores each update before Telegram learns that it was received. */
export function createListener({ token, apiUrl }: ClientOptions, { inbox, isCalled, isMine, log }: ListenerDeps): Bot {
  const root = apiUrl === undefined ? {} : { apiRoot: apiUrl };
  const bot = new Bot(token, { client: { timeoutSeconds: POLL_CALL_SECONDS, ...root } });
  bot.api.config.use(
    autoRetry({
      maxRetryAttempts: RETRIES_MAX,
      maxDelaySeconds: RETRY_DELAY_MAX_SECONDS,
      // The poller repeats a lost poll, and a call with a lost answer may have had its effect.
      rethrowHttpErrors: true,
      rethrowInternalServerErrors: true,
    }),
  );
  bot.api.config.use(async (previous, method, payload, signal) => {
    const answer = await previous(method, payload, signal);
    // Only the next poll confirms these, and it is not made before this one is answered. What reaches a process that
    // was stopped for too long is delivered again to the one that has taken over.
    if (method === 'getUpdates' && !isMine()) throw new Error('another process listens now');
    if (method === 'getUpdates' && answer.ok) await inbox.store(readUpdates(answer.result));
    return answer;
  });
  // Before anything waits for its turn: until then the client shows a spinner, and it gives up after some seconds.
  bot.on('callback_query', async (context, next) => {
    void answerPress(context, log);
    await next();
  });
  // One person's messages are taken in their order; others do not wait for that.
  bot.use(sequentialize((context) => String(context.from?.id ?? context.chat?.id ?? '')));
  bot.use(async ({ update }) => {
    // What was polled is stored already; what Telegram delivered by itself is not.
    if (isCalled) await inbox.store(readUpdates([update]));
    // Once stored, the process that listens now takes it up.
    if (isCalled || isMine()) await inbox.work(updateIdOf(update));
  });
  bot.catch(({ error }) => log.error({ error: String(error) }, 'an update was not handled'));
  return bot;
}

async function answerPress(context: Context, log: Log): Promise<void> {
  try {
    await context.answerCallbackQuery();
  } catch (error) {
    // Too late, or answered by an earlier delivery of the same press.
    log.info({ error: String(error) }, 'a press was not acknowledged');
  }
}
