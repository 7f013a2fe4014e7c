import type { Channel, World } from './world.ts';

/** The one direct channel between the bot and a person; it opens with the first use. */
export function directChannel(world: World, userId: string): Channel {
  const found = [...world.channels.values()].find(
    ({ kind, recipientIds }) => kind === 'dm' && recipientIds.includes(userId) && recipientIds.includes(world.bot.id),
  );
  if (found) return found;
  return addChannel(world, { kind: 'dm', guildId: null, name: null, recipientIds: [world.bot.id, userId] });
}

export function addChannel(world: World, channel: Omit<Channel, 'id' | 'overwrites' | 'lastMessageId'>): Channel {
  const added: Channel = { ...channel, id: world.nextId(), overwrites: [], lastMessageId: null };
  world.channels.set(added.id, added);
  return added;
}
