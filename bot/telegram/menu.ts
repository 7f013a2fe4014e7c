import type { Api } from 'grammy';
import { LANGUAGE_TAGS, type Language } from '../../core/languages.ts';
import { telegramTextsIn } from '../../texts/telegram/languages.ts';
import { COMMANDS } from './commands.ts';

type Command = (typeof COMMANDS)[number];

const FOR_EVERYBODY = COMMANDS.filter((command) => !('forModerators' in command));

/** What the clients offer after a slash. In groups a personal command is seen by its sender alone. */
export async function publishMenu(api: Api): Promise<void> {
  // The entry without a language is for all whose language we do not speak.
  for (const language of [null, ...LANGUAGE_TAGS]) {
    const audience = language === null ? {} : { language_code: language };
    const inGroups = FOR_EVERYBODY.map((command) => toGroupEntry(command, language));
    // The narrower list stands in the place of the wider one, so it names everything.
    const forModerators = COMMANDS.map((command) => toGroupEntry(command, language));
    await api.raw.setMyCommands({ commands: FOR_EVERYBODY.map((command) => toEntry(command, language)), ...audience });
    await api.raw.setMyCommands({ commands: inGroups, scope: { type: 'all_group_chats' }, ...audience });
    await api.raw.setMyCommands({ commands: forModerators, scope: { type: 'all_chat_administrators' }, ...audience });
  }
}

function toGroupEntry(command: Command, language: Language | null) {
  return { ...toEntry(command, language), ...(command.isPersonal ? { is_ephemeral: true } : {}) };
}

function toEntry(command: Command, language: Language | null) {
  return { command: command.name, description: telegramTextsIn(language).commands[command.name] };
}
