/**
 * What a bot gets to see in a group. With privacy mode: commands that may be meant for it, replies to its messages, and
 * messages that mention it; as an admin, or without privacy mode, everything. (The real rule lets a command without a name
 * through only to the bot that wrote last; here is one bot, so it is that.)
 */
import { type ChatMessage, type FakeChat, type World, isAdmin, isPresent } from './world.ts';

export function botSees(world: World, chat: FakeChat, message: ChatMessage): boolean {
  const { bot } = world;
  if (chat.info.type === 'private') return true;
  // Bots do not hear each other; what is sent on behalf of a chat has a bot for a sender and is a person's all the same.
  if (message.from.is_bot && !message.sender_chat) return false;
  if (!isPresent(chat, bot.id)) return false;
  if (bot.can_read_all_group_messages || isAdmin(chat, bot.id)) return true;
  if (message.text === undefined) return true;
  if (message.reply_to_message?.from?.id === bot.id) return true;
  return isAddressed(message, bot.id, bot.username);
}

function isAddressed(message: ChatMessage, botId: number, botUsername: string): boolean {
  const name = `@${botUsername.toLowerCase()}`;
  return (message.entities ?? []).some((entity) => {
    const written = (message.text ?? '').slice(entity.offset, entity.offset + entity.length).toLowerCase();
    if (entity.type === 'bot_command') return !written.includes('@') || written.endsWith(name);
    if (entity.type === 'mention') return written === name;
    return entity.type === 'text_mention' && entity.user.id === botId;
  });
}
