import type { ChatName } from '../chats/chats.ts';

/** The platform's name where transports are told apart: orders, users, settings. */
export const DISCORD_TRANSPORT = 'discord' satisfies ChatName;

/**
 * Where receipts of an order go, as the text of `orders.chat_id`: a channel of a guild, which others read; the direct
 * channel between payer and bot; or, where the bot may not write, the payer.
 */
export type DiscordChat =
  | { kind: 'guild'; channelId: string }
  | { kind: 'direct'; channelId: string }
  | { kind: 'person'; userId: string };

export function formatDiscordChat(chat: DiscordChat): string {
  return `${chat.kind}:${chat.kind === 'person' ? chat.userId : chat.channelId}`;
}

export function readDiscordChat(chatId: string): DiscordChat {
  const [, kind, id] = /^(guild|direct|person):([0-9]{1,20})$/.exec(chatId) ?? [];
  if (id === undefined) throw new Error(`a Discord chat is guild:, direct: or person: with an id; found ${chatId}`);
  if (kind === 'person') return { kind, userId: id };
  return kind === 'guild' ? { kind, channelId: id } : { kind: 'direct', channelId: id };
}
