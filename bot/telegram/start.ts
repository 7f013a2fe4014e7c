import type { Bot as Listener } from 'grammy';
import type { Hono } from 'hono';
import { CHATS, type PaceLimits } from '../../core/chats/chats.ts';
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
import { createCalls } from './calls.ts';
import { createListener, createShowingApi } from './client.ts';
import { createInbox, type Inbox } from '../inbox/inbox.ts';
import { createPersonRate } from '../inbox/person-rate.ts';
import { createExpiry, type Expiry } from '../outbox/expiry.ts';
import { lifetimeIn } from '../outbox/lifetime.ts';
import { createOutbox, type Outbox } from '../outbox/outbox.ts';
import { createPace, type Pace } from '../outbox/pace.ts';
import { createRushes, type Rushes } from '../outbox/rush.ts';
import { dropUpdate, takeUpdate, type IntakeDeps } from './intake.ts';
import { createTelegramMenus } from './menus.ts';
import type { GroupMenus } from './menu/groups.ts';
import { createTelegramMessenger } from './messenger.ts';
import { createModerators, createRights, createStanding, createUsernames } from './moderators.ts';
import { createNames } from './people.ts';
import { isGroup, isGroupId, readPlace, TELEGRAM_TRANSPORT, type Place } from './place.ts';
import { introduce, startPolling, type Polling, type WebhookSettings } from './listening.ts';
import { removal } from './delivery.ts';
import { showMessage } from './show.ts';
import { personOf, updateIdOf, updateSchema, type KnownUpdate } from './update.ts';
import { createWebhook } from './webhook.ts';

export type TelegramOptions = {
  token: string;
  /** Telegram's own, unless told. */
  apiUrl: string | undefined;
  /** Set where Telegram calls us instead of being polled; needs an address that it can reach. */
  webhook: WebhookSettings | null;
  store: Store;
  ids: Pick<Ids, 'identityId' | 'slug'>;
  addressOf: (walletId: string) => string | Promise<string>;
  clock: Clock;
  limits: Pick<RateLimits, 'perMinute'>;
  log: Log;
  pace?: PaceLimits;
  /** Whether this installation offers a command, for the menu; absent, it offers all. */
  isHere?: (command: string) => boolean;
  /** How long a tip waits to be collected. */
  claimDays?: number;
  /** Of several bots one listens and shows; absent, this one is alone. */
  hold?: Hold;
  /** Tells the bot that shows that there is something to show. */
  tell?: () => void;
  /** Between attempts of what failed. */
  retryMs?: number;
  /** Told whether Telegram lets us in, each time that this may have changed. */
  onHeard?: ((isIn: boolean) => void) | undefined;
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
const RUSH_LOOK_MS = 1_000;
const MENU_LOOK_MS = 1_000;
/** After this time the sender has written it again. */
const GIVEN_UP_MS = 24 * 3_600_000;

/** What is asked of Telegram itself, which is known once the bot listens. */
function askingTelegram(
  listener: () => Pick<ReturnType<typeof createListener>, 'api' | 'botInfo'>,
  menus: Pick<GroupMenus, 'learn'>,
): Pick<Messenger, 'usernameOf' | 'standing' | 'lacks'> {
  return {
    usernameOf: (communityId, userId) => createUsernames(listener().api)(communityId, userId),
    standing: (communityId, userIds) => createStanding(listener().api)(communityId, userIds),
    async lacks({ communityId }) {
      const lacks = await createRights(listener().api, listener().botInfo)(communityId);
      menus.learn(Number(communityId), lacks);
      return lacks;
    },
  };
}

export function createTelegram(options: TelegramOptions): Telegram {
  const { store, clock, ids, log, webhook: wanted, retryMs = RETRY_MS } = options;
  const nowMs = () => clock.now();
  const isMine = () => options.hold?.isHeld() !== false;
  const names = createNames();
  const self = () => listener.botInfo;
  const pace = createPace(options.pace ?? CHATS[TELEGRAM_TRANSPORT].outbox.pace, nowMs, isGroupId);
  const calls = createCalls(createShowingApi(options), log);
  const botName = () => (listener.isInited() ? listener.botInfo.username : '');
  const delivery = { store, calls, pace, names, ids, botName, noEphemeral: new Map<number, number>(), nowMs, log };
  const outbox = createOutbox({
    chat: TELEGRAM_TRANSPORT,
    store,
    pace,
    show: (message) => showMessage(delivery, message),
    laneOf: ({ key, chatId, reactsTo = null }) => (reactsTo === null ? readPlace(chatId).chat : key),
    isShared: (chatId) => isGroup(readPlace(chatId)),
    lifetimeOf: (chatId) => lifetimeOf(store, readPlace(chatId)),
    claimDays: options.claimDays,
    nowMs,
    log,
    isMine,
    onLost: options.hold?.onLost,
    tell: options.tell,
  });
  const rushes = createTelegramRushes(options, { outbox, pace, isMine });
  const menus = createTelegramMenus(options, { ...options, pace, isMine, self });
  const acknowledge = createAcknowledge({ calls, waitMs: outbox.waitMs, nowMs, log });
  const messenger: Messenger = {
    ...createTelegramMessenger(outbox, acknowledge, rushes),
    ...askingTelegram(() => listener, menus),
  };
  const expiry = createExpiry({ chat: TELEGRAM_TRANSPORT, store, clock, log, ...removal({ calls, pace }) });
  const rate = createPersonRate(options.limits, TELEGRAM_TRANSPORT);
  const core: { bot: Pick<Bot, 'handle' | 'press'> | null } = { bot: null };
  function intake(): IntakeDeps {
    if (core.bot === null) throw new Error('an update came before the start');
    const { ids, addressOf } = options;
    const rest = { bot: core.bot, outbox, messenger, names, self, isModerator, menus, rate, nowMs };
    return { store, ids, addressOf, ...rest };
  }
  const inbox = createInbox<KnownUpdate>({
    chat: TELEGRAM_TRANSPORT,
    store,
    idOf: updateIdOf,
    personOf,
    read: (body) => updateSchema.safeParse(body).data ?? null,
    isOver: (_update, receivedAtMs) => nowMs() - receivedAtMs >= GIVEN_UP_MS,
    now: nowMs,
    log,
    hold: options.hold,
    handle: async (update, isAgain) => takeUpdate(intake(), update, isAgain),
    drop: async (update) => dropUpdate(intake(), update),
  });
  const listener = createListener(options, { inbox, isCalled: wanted !== null, isMine, log });
  const isModerator = createModerators(listener.api, log);
  const told = { clock, log, retryMs, hold: options.hold, onHeard: options.onHeard, isHere: options.isHere, menus };
  const life = createLife({ ...told, listener, wanted, inbox, outbox, rushes, expiry });
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

function createTelegramRushes(
  { store, ids, clock, log, pace: limits }: TelegramOptions,
  { outbox, pace, isMine }: { outbox: Outbox; pace: Pace; isMine: () => boolean },
): Rushes {
  const { perGroupPerMinute } = limits ?? CHATS[TELEGRAM_TRANSPORT].outbox.pace;
  return createRushes({
    chat: TELEGRAM_TRANSPORT,
    store,
    outbox,
    load(chatId) {
      const { chat } = readPlace(chatId);
      return (pace.sentLately(chat) + outbox.waitingIn(chat)) / perGroupPerMinute;
    },
    newId: () => `rush_${ids.slug()}`,
    nowMs: () => clock.now(),
    isMine,
    warn: (error) => log.error({ error: String(error) }, 'many tips could not be shown together'),
  });
}

/** Only others who read along can mind old messages. */
async function lifetimeOf(store: Store, place: Place): Promise<number | null> {
  const community = { transport: TELEGRAM_TRANSPORT, communityId: String(place.chat) } as const;
  return isGroup(place) ? lifetimeIn(store, community) : null;
}

type LifeDeps = {
  listener: Listener;
  wanted: WebhookSettings | null;
  hold: Hold | undefined;
  inbox: Inbox<KnownUpdate>;
  outbox: Outbox;
  rushes: Rushes;
  expiry: Expiry;
  clock: Clock;
  log: Log;
  retryMs: number;
  onHeard: TelegramOptions['onHeard'];
  isHere: TelegramOptions['isHere'];
  menus: GroupMenus;
};

/** From the first word with Telegram to the last. */
function createLife(deps: LifeDeps) {
  const { listener, wanted, hold, inbox, outbox, rushes, expiry, menus, clock, log, retryMs, onHeard } = deps;
  const offers = { isHere: deps.isHere ?? (() => true), isInGroups: menus.isInGroups };
  let listening: { close: () => Promise<void> } | null = null;
  let isClosed = false;

  async function live(): Promise<void> {
    await introduce(listener, wanted, { clock, log, retryMs, onHeard, ...offers, isClosed: () => isClosed });
    if (!isClosed) listening = whileHeld(hold, listen, log);
  }

  /** As long as no other process does. */
  function listen(): { close: () => Promise<void> } {
    let polling: Polling | null = null;
    let timer: NodeJS.Timeout | undefined;
    const rushTimer = setInterval(() => void rushes.look(), RUSH_LOOK_MS);
    const menuTimer = setInterval(() => void menus.look(), MENU_LOOK_MS);
    let isOver = false;
    // What is left from before comes first: it was said first. What hangs of it keeps nobody else waiting.
    const begun = tidy(0).then(() => {
      if (isOver) return;
      if (wanted === null) polling = startPolling(listener, { clock, log, retryMs, onHeard });
      timer = setInterval(() => void tidy(), LOOK_EVERY_MS);
    });
    return {
      async close() {
        isOver = true;
        await begun;
        clearInterval(timer);
        clearInterval(rushTimer);
        clearInterval(menuTimer);
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
      await inbox.close();
      await outbox.close();
      await expiry.close();
      await menus.close();
    },
  };
}
