/** Questions about chats and their members, and the way out of a chat. */
import { z } from 'zod';
import { reachableChat, toChatMember, writableChat } from '../members.ts';
import { chatId, flag, integer } from '../parameters.ts';
import { badRequest } from '../refusal.ts';
import { type World, isAdmin } from '../world.ts';
import { changeBotMembership } from '../membership-change.ts';
import { method } from './method.ts';

export const getMe = method(z.strictObject({}), ({ world }) => world.bot);

export const getChat = method(z.strictObject({ chat_id: chatId }), ({ world }, parameters) => {
  const chat = reachableChat(world, parameters.chat_id);
  const isPrivate = chat.info.type === 'private';
  return {
    ...chat.info,
    accent_color_id: 0,
    max_reaction_count: 11,
    accepted_gift_types: {
      unlimited_gifts: false,
      limited_gifts: false,
      unique_gifts: false,
      premium_subscription: false,
      gifts_from_channels: false,
    },
    ...(isPrivate ? {} : { permissions: { can_send_messages: chat.membersMayWrite } }),
  };
});

export const getChatMember = method(z.strictObject({ chat_id: chatId, user_id: integer }), ({ world }, parameters) => {
  const chat = reachableChat(world, parameters.chat_id);
  const user = world.users.get(parameters.user_id);
  if (!user) throw badRequest('PARTICIPANT_ID_INVALID');
  if (user.id !== world.bot.id && chat.membersHidden && !isAdmin(chat, world.bot.id)) {
    throw badRequest('CHAT_ADMIN_REQUIRED');
  }
  return memberOf(world, chat.info.id, user.id);
});

export const getChatAdministrators = method(
  z.strictObject({ chat_id: chatId, return_bots: flag.optional() }),
  ({ world }, parameters) => {
    const chat = reachableChat(world, parameters.chat_id);
    if (chat.info.type === 'private') throw badRequest('there are no administrators in the private chat');
    return [...chat.members.keys()].filter((id) => isAdmin(chat, id)).map((id) => memberOf(world, chat.info.id, id));
  },
);

function memberOf(world: World, ofChatId: number, userId: number) {
  const user = world.users.get(userId);
  if (!user) throw new Error(`no user has the id ${userId}`);
  const membership = world.chats.get(ofChatId)?.members.get(userId) ?? { status: 'left' as const };
  return toChatMember(user, membership, userId === world.bot.id);
}

export const sendChatAction = method(
  z.strictObject({
    chat_id: chatId,
    message_thread_id: integer.optional(),
    action: z.enum([
      'typing',
      'upload_photo',
      'record_video',
      'upload_video',
      'record_voice',
      'upload_voice',
      'upload_document',
      'choose_sticker',
      'find_location',
      'record_video_note',
      'upload_video_note',
    ]),
  }),
  ({ world }, parameters) => {
    writableChat(world, parameters.chat_id);
    return true;
  },
);

export const leaveChat = method(z.strictObject({ chat_id: chatId }), (platform, parameters) => {
  const { world } = platform;
  const chat = reachableChat(world, parameters.chat_id);
  if (chat.info.type === 'private') throw badRequest("chat member status can't be changed in private chats");
  changeBotMembership(platform, chat, world.bot, { status: 'left' });
  return true;
});
