import { channelOf } from './messages.ts';
import type { Message, World } from './world.ts';

export function react(world: World, message: Message, userId: string, emoji: string): void {
  const people = message.reactions.get(emoji) ?? new Set();
  message.reactions.set(emoji, people);
  if (people.has(userId)) return;
  people.add(userId);
  announce(world, 'MESSAGE_REACTION_ADD', message, userId, emoji);
}

export function unreact(world: World, message: Message, userId: string, emoji: string): void {
  const people = message.reactions.get(emoji);
  if (!people?.delete(userId)) return;
  if (people.size === 0) message.reactions.delete(emoji);
  announce(world, 'MESSAGE_REACTION_REMOVE', message, userId, emoji);
}

function announce(world: World, t: string, message: Message, userId: string, emoji: string): void {
  const { guildId } = channelOf(world, message);
  const d = {
    user_id: userId,
    channel_id: message.channelId,
    message_id: message.id,
    emoji: { id: null, name: emoji },
    burst: false,
    type: 0,
    ...(guildId === null ? {} : { guild_id: guildId }),
    ...(t === 'MESSAGE_REACTION_ADD' ? { message_author_id: message.authorId } : {}),
  };
  world.changes.happened();
  world.publish({ t, d, guildId });
}
