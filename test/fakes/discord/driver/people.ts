import { MessageType, PermissionFlagsBits } from 'discord-api-types/v10';
import { canSee, createMessage, deleteMessage } from '../state/messages.ts';
import { channelPermissions } from '../state/permissions.ts';
import { react, unreact } from '../state/reactions.ts';
import type { Channel, Message, User, World } from '../state/world.ts';
import type { Ref } from './directory.ts';

/** What people do beside commands and buttons. */
export function createPeopleActions(world: World) {
  const seen = (user: User, { id }: Ref): Message => {
    const message = world.messages.get(id);
    if (!message || !canSee(world, message, user.id)) throw new Error(`${user.username} does not see ${id}`);
    return message;
  };
  return {
    say: (user: User, channel: Channel, content: string, replyTo: Ref | null = null): Message => {
      if ((channelPermissions(world, channel, user.id) & PermissionFlagsBits.SendMessages) === 0n) {
        throw new Error(`${user.username} may not write in this channel`);
      }
      return createMessage(world, {
        channel,
        authorId: user.id,
        body: { content },
        uploads: [],
        type: replyTo === null ? MessageType.Default : MessageType.Reply,
        replyToId: replyTo === null ? null : seen(user, replyTo).id,
        interactionId: null,
        onlyFor: null,
      });
    },
    react: (user: User, message: Ref, emoji: string): void => react(world, seen(user, message), user.id, emoji),
    unreact: (user: User, message: Ref, emoji: string): void => unreact(world, seen(user, message), user.id, emoji),
    /** Moderators and authors delete; an ephemeral message is dismissed by its person. */
    deleteMessage: (message: Ref): void => {
      const found = world.messages.get(message.id);
      if (!found) throw new Error(`there is no message ${message.id}`);
      deleteMessage(world, found);
    },
  };
}
