import { findLanguage, type Language } from '../core/texts/languages.ts';

/**
 * A command is called the same in all languages: that is how texts name it, and how people tell each other. Names of
 * options are in lower case and without spaces; a description has at most 100 characters.
 */
export type CommandWords = { description: string; options: Record<string, [string, string]> };

/** What only Discord makes necessary to say. A language is a file like `words-en.ts` with the same shape. */
export type DiscordWords = {
  commands: Record<CommandName, CommandWords>;
  /** Under "Apps" in the menu of a person or message. */
  menu: string;
  form: { title: (name: string) => string; amount: string; amountExample: string; note: string };
  tooFast: string;
};

export const COMMAND_NAMES = [
  'tip',
  'pay',
  'balance',
  'deposit',
  'withdraw',
  'wallet',
  'limits',
  'lock',
  'unlock',
  'history',
  'claim',
  'link',
  'language',
  'privacy',
  'help',
] as const;
export type CommandName = (typeof COMMAND_NAMES)[number];

/** For a locale of Discord. */
export function wordsFor(words: Readonly<Record<Language, DiscordWords>>, locale: string): DiscordWords {
  return words[findLanguage(locale) ?? 'en'];
}
