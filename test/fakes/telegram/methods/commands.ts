/** The bot's menu of commands, by scope and by language. */
import type { BotCommand, User } from 'grammy/types';
import { z } from 'zod';
import { reachableChat } from '../members.ts';
import { chatId, integer, structure } from '../parameters.ts';
import type { CommandList, Platform } from '../platform.ts';
import { badRequest } from '../refusal.ts';
import { type FakeChat, isAdmin } from '../world.ts';
import { method } from './method.ts';

const COMMANDS_MAX = 100;

const scope = structure(
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.enum(['default', 'all_private_chats', 'all_group_chats', 'all_chat_administrators']) }),
    z.strictObject({ type: z.enum(['chat', 'chat_administrators']), chat_id: chatId }),
    z.strictObject({ type: z.literal('chat_member'), chat_id: chatId, user_id: integer }),
  ]),
);
const command = z.strictObject({ command: z.string(), description: z.string(), is_ephemeral: z.boolean().optional() });
const audience = { scope: scope.optional(), language_code: z.string().optional() };
const audienceSchema = z.strictObject(audience);

export const setMyCommands = method(
  z.strictObject({ ...audience, commands: structure(z.array(command)) }),
  (platform, parameters) => {
    checkScope(platform, parameters);
    if (parameters.commands.length > COMMANDS_MAX) throw badRequest('BOT_COMMANDS_TOO_MUCH');
    for (const { command: name, description } of parameters.commands) {
      // Telegram drops a leading slash; a menu with one is a slip all the same.
      if (!/^[a-z0-9_]{1,32}$/.test(name)) throw badRequest('BOT_COMMAND_INVALID');
      if (description.length < 1 || description.length > 256) throw badRequest('BOT_COMMAND_DESCRIPTION_INVALID');
    }
    remove(platform, parameters);
    platform.commandLists.push({ ...keyOf(parameters), commands: parameters.commands });
    return true;
  },
);

export const deleteMyCommands = method(audienceSchema, (platform, parameters) => {
  checkScope(platform, parameters);
  remove(platform, parameters);
  return true;
});

export const getMyCommands = method(audienceSchema, (platform, parameters) => {
  checkScope(platform, parameters);
  const key = keyOf(parameters);
  return platform.commandLists.find((list) => isFor(list, key))?.commands ?? [];
});

/** A menu of one chat is for one that the bot is in; only groups have administrators and members. */
function checkScope({ world }: Platform, { scope: wanted }: z.infer<typeof audienceSchema>): void {
  if (wanted === undefined || !('chat_id' in wanted)) return;
  const { info } = reachableChat(world, wanted.chat_id);
  if (wanted.type !== 'chat' && info.type === 'private') throw badRequest('method is available only for groups');
}

/** What this person's client offers in a chat: the narrowest audience first, in each of them their language first. */
export function menuFor({ commandLists }: Platform, chat: FakeChat, user: User): BotCommand[] {
  const { id, type } = chat.info;
  const language = user.language_code?.slice(0, 2) ?? '';
  for (const narrow of scopesFor(id, user.id, { type, admin: isAdmin(chat, user.id) })) {
    for (const languageCode of [language, '']) {
      const list = commandLists.find((each) => each.scope === narrow && each.languageCode === languageCode);
      if (list) return list.commands;
    }
  }
  return [];
}

function scopesFor(chat: number, user: number, { type, admin }: { type: string; admin: boolean }): string[] {
  if (type === 'private') return [`chat ${chat}`, 'all_private_chats', 'default'];
  return [
    `chat_member ${chat} ${user}`,
    ...(admin ? [`chat_administrators ${chat}`] : []),
    `chat ${chat}`,
    ...(admin ? ['all_chat_administrators'] : []),
    'all_group_chats',
    'default',
  ];
}

function remove(platform: Platform, parameters: z.infer<typeof audienceSchema>): void {
  const key = keyOf(parameters);
  platform.commandLists = platform.commandLists.filter((list) => !isFor(list, key));
}

type Key = Omit<CommandList, 'commands'>;

const isFor = (list: CommandList, key: Key) => list.scope === key.scope && list.languageCode === key.languageCode;

function keyOf(parameters: z.infer<typeof audienceSchema>): Key {
  const languageCode = parameters.language_code ?? '';
  if (!/^(?:[a-z]{2})?$/.test(languageCode)) throw badRequest('invalid language code specified');
  return { scope: scopeName(parameters.scope ?? { type: 'default' }), languageCode };
}

/** One text for one audience: `chat_member -100 7`. */
function scopeName(wanted: z.infer<typeof scope>): string {
  if (wanted.type === 'chat_member') return `${wanted.type} ${wanted.chat_id} ${wanted.user_id}`;
  return 'chat_id' in wanted ? `${wanted.type} ${wanted.chat_id}` : wanted.type;
}
