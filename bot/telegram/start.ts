import type { Bot as Listener } from 'grammy';
import type { Hono } from 'hono';
import type { Ids } from '../../core/ids.ts';
import type { Hold } from '../../db/processes/owner.ts';
import type { Store } from '../../db/store/store.ts';
import type { RateLimits } from '../../queue/rate-limiter.ts';
import type { Clock } from '../shared/clock.ts';
import type { Bot } from '../commands/bot.ts';
import type { Messenger } from '../shared/messenger.ts';
import { whileHeld } from '../shared/while-held.ts';
import type { Log } from '../shared/log.ts';
import { createAcknowledge } from './acknowledge.ts';
import { createMessageOutbox, type MessageOutbox } from './message-outbox.ts';
import { createCalls } from './calls.ts';
import { createListener, createShowingApi } from './client.ts';
import { createExpiry, type Expiry } from './expiry.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { takeUpdate } from './intake.ts';
import { introduce, type WebhookSettings } from './introduction.ts';
import { createTelegramMessenger } from './messenger.ts';
import { createModerators } from './moderators.ts';
import { createNames } from './names.ts';
import { createPace, TELEGRAM_PACE, type PaceLimits } from './pace.ts';
import { createPersonRate } from './person-rate.ts';
import { startPolling, type Polling } from './polling.ts';
import { createStanding } from './standing.ts';
import { createWebhook } from './webhook.ts';

export type TelegramOptions = {
  token: string;
  /** Telegram's own, unless told. */
  apiUrl: string | undefined;
  /** Set where Telegram calls us instead of being polled; needs an address that it can reach. */
  webhook: WebhookSettings | null;
  store: Store;
  ids: Pick<Ids, 'identityId'>;
  addressOf: (walletId: string) => string | Promise<string>;
  clock: Clock;
  limits: Pick<RateLimits, 'perMinute'>;
  log: Log;
  pace?: PaceLimits;
  /** Of several bots one listens and shows; absent, this one is alone. */
  hold?: Hold;
  /** Tells the bot that shows that there is something to show. */
  tell?: () => void;
  /** Between attempts of what failed. */
  retryMs?: number;
};

export type Telegram = {
  messenger: Messenger;
  /** Where Telegram calls; null while it is asked. */
  webhook: Hono | null;
  /** Begins to listen and to show; returns at once, and goes on until it is closed. */
  start: (bot: Pick<Bot, 'handle' | 'press'>) => void;
  /** Another process has left a message to be shown. */
  look: () => Promise<void>;
  /** How many messages wait to be shown. */
  waiting: () => number;
  /** What is not done by then is written down, and the next start goes on with it. */
  close: () => Promise<void>;
};

const RETRY_MS = 2_000;
const LOOK_EVERY_MS = 5_000;

export function createTelegram(options: TelegramOptions): Telegram {
  const { store, clock, log, retryMs = RETRY_MS } = options;
  const nowMs = () => clock.now();
  const isMine = () => options.hold?.isHeld() !== false;
  const names = createNames();
  const pace = createPace(options.pace ?? TELEGRAM_PACE, nowMs);
  const calls = createCalls(createShowingApi(options), log);
  const botName = () => (listener.isInited() ? listener.botInfo.username : '');
  const noEphemeral = new Map<number, number>();
  const outbox = createMessageOutbox({
    store,
    calls,
    pace,
    names,
    botName,
    noEphemeral,
    nowMs,
    log,
    isMine,
    tell: options.tell,
  });
  const messenger: Messenger = {
    ...createTelegramMessenger(outbox, createAcknowledge({ calls, waitMs: outbox.waitMs, nowMs, log })),
    standing: (communityId, userIds) => createStanding(listener.api)(communityId, userIds),
  };
  const expiry = createExpiry({ store, calls, pace, clock, log });
  const rate = createPersonRate(options.limits);
  const core: { bot: Pick<Bot, 'handle' | 'press'> | null } = { bot: null };
  const inbox = createInbox({
    store,
    nowMs,
    log,
    handle: async (update) => {
      if (core.bot === null) throw new Error('an update came before the start');
      const { ids, addressOf } = options;
      const rest = { bot: core.bot, outbox, messenger, names, self: () => listener.botInfo, isModerator, rate, nowMs };
      await takeUpdate({ store, ids, addressOf, ...rest }, update);
    },
  });
  const { webhook: wanted } = options;
  const listener = createListener(options, { inbox, isCalled: wanted !== null, isMine, log });
  const isModerator = createModerators(listener.api, log);
  const life = createLife({ listener, wanted, hold: options.hold, inbox, outbox, expiry, clock, log, retryMs });
  return {
    messenger,
    webhook: wanted === null ? null : createWebhook(listener, wanted.secret),
    start(bot) {
      core.bot = bot;
      life.begin();
    },
    look: outbox.look,
    waiting: outbox.size,
    close: () => life.close(),
  };
}

type LifeDeps = {
  listener: Listener;
  wanted: WebhookSettings | null;
  hold: Hold | undefined;
  inbox: Inbox;
  outbox: MessageOutbox;
  expiry: Expiry;
  clock: Clock;
  log: Log;
  retryMs: number;
};

/** From the first word with Telegram to the last. */
function createLife({ listener, wanted, hold, inbox, outbox, expiry, clock, log, retryMs }: LifeDeps) {
  let listening: { close: () => Promise<void> } | null = null;
  let isClosed = false;

  async function live(): Promise<void> {
    await introduce(listener, wanted, { clock, log, retryMs, isClosed: () => isClosed });
    if (!isClosed) listening = whileHeld(hold, listen, log);
  }

  /** As long as no other process does. */
  function listen(): { close: () => Promise<void> } {
    let polling: Polling | null = null;
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;
    // What is left from before comes first: it was said first.
    const begun = tidy(0).then(() => {
      if (isOver) return;
      if (wanted === null) polling = startPolling(listener, { clock, log, retryMs });
      timer = setInterval(() => void tidy(), LOOK_EVERY_MS);
    });
    return {
      async close() {
        isOver = true;
        await begun;
        clearInterval(timer);
        await polling?.close();
      },
    };
  }

  async function tidy(olderThanMs?: number): Promise<void> {
    // Answers do not wait for what has had its time.
    void expiry.look();
    try {
      await outbox.look();
      await inbox.retry(olderThanMs);
    } catch (error) {
      log.error({ error: String(error) }, 'what is still open could not be read');
    }
  }

  let begun = Promise.resolve();
  return {
    begin(): void {
      begun = live().catch((error: unknown) => {
        if (!isClosed) log.error({ error: String(error) }, 'the bot on Telegram did not start');
      });
    },
    async close(): Promise<void> {
      isClosed = true;
      await begun;
      await listening?.close();
      await inbox.idle();
      await outbox.close();
      await expiry.close();
    },
  };
}
