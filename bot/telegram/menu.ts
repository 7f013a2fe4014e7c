import type { Api } from 'grammy';
import { findLanguage, LANGUAGES, type Language } from '../core/texts/languages.ts';
import { describeCommand } from './languages.ts';
import { COMMANDS } from './texts.ts';

/** What the clients offer when somebody types a slash. In groups a personal command is seen by its sender alone. */
export async function publishMenu(api: Api): Promise<void> {
  // Without a language for everybody whose language we do not speak.
  for (const language of [null, ...allLanguages()]) {
    const audience = language === null ? {} : { language_code: language };
    const commands = COMMANDS.map((command) => toEntry(command, language));
    const inGroups = COMMANDS.map((command) => ({
      ...toEntry(command, language),
      ...(command.isPersonal ? { is_ephemeral: true } : {}),
    }));
    await api.raw.setMyCommands({ commands, ...audience });
    await api.raw.setMyCommands({ commands: inGroups, scope: { type: 'all_group_chats' }, ...audience });
  }
}

function toEntry(command: (typeof COMMANDS)[number], language: Language | null) {
  return { command: command.name, description: describeCommand(command, language) };
}

function allLanguages(): Language[] {
  return Object.keys(LANGUAGES).flatMap((tag) => findLanguage(tag) ?? []);
}
