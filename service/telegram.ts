import { randomBytes } from 'node:crypto';
import { createIds } from '../core/ids.ts';
import { isOffered, type Equipment } from '../bot/commands/offered.ts';
import type { CoreDeps } from '../bot/conversation/dependencies.ts';
import type { Clock } from '../bot/shared/clock.ts';
import { hashOf } from '../bot/outbox/turn.ts';
import { signedMessageOf } from '../bot/telegram/messenger.ts';
import { readUser, TELEGRAM_TRANSPORT } from '../bot/telegram/place.ts';
import { createTelegram, type Telegram } from '../bot/telegram/start.ts';
import type { View } from '../core/view.ts';
import type { Holder } from '../db/processes/holdings.ts';
import { listenerHolding } from '../db/processes/owner.ts';
import { changeMessage, findMessage, openMessage, type NewMessage } from '../db/chats/bot-messages.ts';
import type { ChatPost, ChatSender, Told } from '../worker/chat/sender.ts';
import { createLetIn } from './readiness/let-in.ts';
import type { SharedParts } from './shared-parts.ts';
import type { ServiceOptions } from './options.ts';

/** Announces that there is something to show; the rows say what. */
const CHANNEL = TELEGRAM_TRANSPORT;

type Deps = {
  money: Pick<CoreDeps, 'networks'> & Equipment;
  clock: Clock;
  holder: Pick<Holder, 'want'>;
};

/** The bot on Telegram, for a service that has a token; it listens from its `start` on. */
export function createTelegramChat(
  options: ServiceOptions,
  shared: SharedParts,
  { holder, money, clock }: Deps,
): Telegram | null {
  const { config, log } = options;
  const { store, queue, baseUrl } = shared;
  if (config.telegram === undefined) return null;
  const { token, apiUrl, webhookSecret: secret } = config.telegram;
  const telegram = createTelegram({
    addressOf: money.networks[0].addressOf,
    isHere: (command) => isOffered(money, TELEGRAM_TRANSPORT, command),
    clock,
    token,
    apiUrl: apiUrl?.replace(/\/+$/, ''),
    webhook: secret === undefined ? null : { url: baseUrl.replace(/\/+$/, ''), secret },
    store,
    ids: createIds(randomBytes),
    limits: queue.limits,
    claimDays: config.limits.claimTtlDays,
    log,
    // A token begins with the number of its bot.
    hold: holder.want(listenerHolding(TELEGRAM_TRANSPORT, token.split(':', 1)[0] ?? '')),
    tell: () => queue.announce(CHANNEL),
    onHeard: createLetIn(store, TELEGRAM_TRANSPORT, { log }),
  });
  const unsubscribe = queue.subscribe(CHANNEL, () => {
    telegram.look().catch((error: unknown) => log.warn({ err: error }, 'could not look for new receipts'));
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
 * Posts receipts by storing what to show. Only the bot speaks to Telegram: it alone knows how much may still be sent
 * there, and its keys make a repetition harmless. So a worker needs no token.
 */
export function telegramSender({ store, queue }: Pick<SharedParts, 'store' | 'queue'>, now: () => number): ChatSender {
  async function write(message: Written): Promise<void> {
    const { chatId, key, view, ...choices } = message;
    const open = {
      transport: TELEGRAM_TRANSPORT,
      key,
      chatId,
      eventId: null,
      userId: null,
      language: null,
      view,
      nowMs: now(),
    };
    await openMessage(store, { ...open, ...choices });
    queue.announce(CHANNEL);
  }

  /** Asked again, it may have something newer to show, such as another time. */
  async function toldOf(key: string, view: View): Promise<Told> {
    const message = await findMessage(store, { transport: TELEGRAM_TRANSPORT, key });
    if (message?.pendingSinceMs === null) return message.messageId === null ? 'unreachable' : 'told';
    if (message?.view && hashOf(message.view) !== hashOf(view)) await changeMessage(store, message, view, now());
    return 'under-way';
  }

  return {
    post: (post) => write({ key: `receipt:${post.onceKey}`, ...writtenOf(post) }),
    async tell({ userId, onceKey, view }) {
      const key = `told:${onceKey}`;
      // A private chat has the number of its person.
      await write({ key, chatId: String(readUser(userId)), view });
      return toldOf(key, view);
    },
    async react(order, { onceKey, otherwise }) {
      const reactsTo = signedMessageOf(order);
      const words = otherwise === null ? { chatId: order.chatId, view: NOTHING } : writtenOf(otherwise);
      if (reactsTo !== null || otherwise !== null) await write({ key: `sign:${onceKey}`, reactsTo, ...words });
    },
  };
}

/** Shown where a sign is refused and has no replacement. */
const NOTHING: View = { state: 'ok', audience: 'everyone', paragraphs: [], actions: [] };

type Written = Pick<NewMessage, 'key' | 'chatId' | 'view' | 'reactsTo' | 'isQuiet' | 'lifetimeSeconds'>;

function writtenOf({ chatId, view, ringsRecipients, lifetimeSeconds }: ChatPost): Omit<Written, 'key'> {
  return { chatId, view, isQuiet: !ringsRecipients, lifetimeSeconds };
}
