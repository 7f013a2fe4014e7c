import type { Api } from 'grammy';
import type { BotCommand } from 'grammy/types';
import { LANGUAGE_TAGS, type Language } from '../../../core/languages.ts';
import type { TelegramTexts } from '../../../texts/telegram/en.ts';
import { telegramTextsIn } from '../../../texts/telegram/languages.ts';

/**
 * The names are the same in every language. `isPersonal` commands may be seen by their sender alone; those
 * `forModerators` are offered to the administrators of groups and to nobody else. Those are not personal although their
 * answers are: a reply names the member to ban, and a sender in the name of the group could not be answered alone.
 */
export const COMMANDS = [
  { name: 'tip', isPersonal: false },
  { name: 'pay', isPersonal: true },
  { name: 'request', isPersonal: false },
  { name: 'drop', isPersonal: false },
  { name: 'top', isPersonal: false },
  { name: 'balance', isPersonal: true },
  { name: 'deposit', isPersonal: true },
  { name: 'withdraw', isPersonal: true },
  { name: 'wallet', isPersonal: true },
  { name: 'limits', isPersonal: true },
  { name: 'lock', isPersonal: true },
  { name: 'unlock', isPersonal: true },
  { name: 'history', isPersonal: true },
  { name: 'claim', isPersonal: true },
  { name: 'link', isPersonal: true },
  { name: 'block', isPersonal: true },
  { name: 'privacy', isPersonal: true },
  { name: 'language', isPersonal: true },
  { name: 'help', isPersonal: true },
  { name: 'treasury', isPersonal: false },
  {
    name: 'reward',
    isPersonal: false,
    forModerators: true,
  },
  { name: 'settings', isPersonal: false, forModerators: true },
] as const satisfies readonly { name: keyof TelegramTexts['commands']; isPersonal: boolean; forModerators?: true }[];

type Command = (typeof COMMANDS)[number];

export type IsOffered = (command: string) => boolean;

/** What the clients offer after a slash: in private, and in all groups that have no lists of their own (groups.ts). */
export async function publishMenu(api: Api, isHere: IsOffered, isInGroups: IsOffered): Promise<void> {
  const inPrivate = COMMANDS.filter((command) => isHere(command.name) && isForEverybody(command));
  // The entry without a language is for all whose language we do not speak.
  for (const language of [null, ...LANGUAGE_TAGS]) {
    const audience = language === null ? {} : { language_code: language };
    const { members, administrators } = groupLists(isInGroups, language);
    await api.raw.setMyCommands({ commands: inPrivate.map((command) => toEntry(command, language)), ...audience });
    await api.raw.setMyCommands({ commands: members, scope: { type: 'all_group_chats' }, ...audience });
    await api.raw.setMyCommands({ commands: administrators, scope: { type: 'all_chat_administrators' }, ...audience });
  }
}

/** In groups a personal command is seen by its sender alone. The narrower list replaces the wider, so it names everything. */
export function groupLists(
  isOffered: IsOffered,
  language: Language | null,
): { members: BotCommand[]; administrators: BotCommand[] } {
  const all = COMMANDS.filter(({ name }) => isOffered(name));
  const entries = (commands: readonly Command[]) => commands.map((command) => toGroupEntry(command, language));
  return { members: entries(all.filter(isForEverybody)), administrators: entries(all) };
}

const isForEverybody = (command: Command) => !('forModerators' in command);

function toGroupEntry(command: Command, language: Language | null): BotCommand {
  return { ...toEntry(command, language), ...(command.isPersonal ? { is_ephemeral: true } : {}) };
}

function toEntry(command: Command, language: Language | null): BotCommand {
  return { command: command.name, description: telegramTextsIn(language).commands[command.name] };
}
