import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { z } from 'zod';
import { readAnswer } from '../../core/discord/answer.ts';
import { DISCORD_TRANSPORT, formatDiscordChat, readDiscordChat } from '../../core/discord/chat.ts';
import { namedPeople, toDiscordMessage } from '../../core/discord/message.ts';
import type { OrderRow } from '../../db/tips/orders.ts';
import { expireMessage } from '../../db/chats/expiring-messages.ts';
import type { Store } from '../../db/store/store.ts';
import { createDiscordCall, Unreachable, type DiscordCall } from './discord-calls.ts';
import type { ChatPost, ChatSender } from './sender.ts';

export type DiscordSenderOptions = {
  token: string;
  apiUrl?: string | undefined;
  store: Store;
  now: () => number;
  log: Logger;
};

/** What the bot puts on a message that was tipped: a flying banknote. */
const REACTION = '\u{1F4B8}';

const created = z.looseObject({ id: z.string() });

/**
 * Posts receipts as messages of the bot. Their nonce is made from the key, and Discord keeps one message per nonce, so
 * a post whose reply was lost is repeated without a second message.
 */
export function createDiscordSender({ token, apiUrl, store, now, log }: DiscordSenderOptions): ChatSender {
  const call = createDiscordCall({ token, apiUrl });
  /** False where the chat cannot be reached. */
  async function send(message: ChatPost): Promise<boolean> {
    const { chatId, onceKey, view, lifetimeSeconds } = message;
    const chat = readDiscordChat(chatId);
    if (chat.kind === 'guild' && view.audience === 'person') {
      log.error({ onceKey }, 'a receipt for one person is not posted where others read along');
      return false;
    }
    const posted = await unlessUnreachable(onceKey, async () => {
      const channelId = chat.kind === 'person' ? await openDirect(call, chat.userId) : chat.channelId;
      return created.parse(await call('POST', `/channels/${channelId}/messages`, toBody(message)));
    });
    if (posted === null || chat.kind !== 'guild' || lifetimeSeconds === null) return posted !== null;
    // After a crash before this line the same nonce is posted again and answers the same message.
    const dueAtMs = now() + lifetimeSeconds * 1_000;
    await expireMessage(store, { transport: DISCORD_TRANSPORT, chatId, messageId: posted.id, dueAtMs });
    return true;
  }

  async function unlessUnreachable<T>(onceKey: string, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      const { status, code } = error;
      // A body that Discord refuses is our fault, or a rule that we did not know.
      log[status === 400 ? 'error' : 'info']({ onceKey, status, code }, 'a receipt cannot be delivered on Discord');
      return null;
    }
  }

  return {
    post: async (message) => void (await send(message)),
    async tell({ userId, ...message }) {
      const chatId = formatDiscordChat({ kind: 'person', userId: userId.replace(`${DISCORD_TRANSPORT}:`, '') });
      const isTold = await send({ ...message, chatId, ringsRecipients: false, lifetimeSeconds: null });
      return isTold ? 'told' : 'unreachable';
    },
    async react(order) {
      const place = signPlaceOf(order);
      if (place === null) return;
      const path = `/channels/${place.channelId}/messages/${place.messageId}/reactions/${encodeURIComponent(REACTION)}/@me`;
      await unlessUnreachable(`reaction:${place.messageId}`, () => call('PUT', path));
    },
    hidesGiver: ({ messageId }) => readAnswer(messageId).audience === 'person',
  };
}

/** Null where only one member sees the bot's answer: such a message carries no reactions. */
function signPlaceOf(order: Pick<OrderRow, 'chatId' | 'messageId' | 'tippedMessageId'>) {
  const chat = readDiscordChat(order.chatId);
  if (order.tippedMessageId !== null && chat.kind !== 'person') {
    return { channelId: chat.channelId, messageId: order.tippedMessageId };
  }
  const { audience, channelId, messageId } = readAnswer(order.messageId);
  return audience === 'person' ? null : { channelId, messageId };
}

async function openDirect(call: DiscordCall, userId: string): Promise<string> {
  return created.parse(await call('POST', '/users/@me/channels', { recipient_id: userId })).id;
}

function toBody({ onceKey, view, ringsRecipients }: ChatPost): object {
  const users = ringsRecipients ? namedPeople(view).slice(0, 100) : [];
  return {
    ...toDiscordMessage(view),
    allowed_mentions: { parse: [], users },
    nonce: createHash('sha256').update(onceKey).digest('base64url').slice(0, 24),
    enforce_nonce: true,
  };
}
