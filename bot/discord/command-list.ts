import type { Language } from '../core/texts/languages.ts';
import { WORDS } from './all-words.ts';
import { COMMAND_NAMES, type CommandName, type DiscordWords } from './words.ts';

/** The languages of Discord in which each of ours is read; English is the one for all others. */
const LOCALES: Readonly<Record<Exclude<Language, 'en'>, readonly string[]>> = {
  es: ['es-ES', 'es-419'],
  de: ['de'],
  pt: ['pt-BR'],
  ja: ['ja'],
};

type Option = { key: string; type: 'text' | 'person'; isRequired?: true; isSuggested?: true; charactersMax?: number };

const AMOUNT = { key: 'amount', type: 'text', charactersMax: 60 } as const;
const NAME = { key: 'name', type: 'text', charactersMax: 300 } as const;

/** In the order in which they follow the command in the text of the grammar; Discord wants the required ones first. */
export const OPTIONS: Readonly<Record<CommandName, readonly Option[]>> = {
  tip: [
    { ...AMOUNT, isRequired: true },
    { key: 'user', type: 'person' },
    { key: 'to', type: 'text', isSuggested: true, charactersMax: 1_500 },
    { key: 'note', type: 'text', charactersMax: 280 },
  ],
  balance: [],
  deposit: [],
  withdraw: [AMOUNT, { key: 'address', type: 'text', charactersMax: 100 }],
  wallet: [],
  history: [],
  claim: [NAME],
  link: [NAME],
  language: [{ key: 'language', type: 'text', charactersMax: 40 }],
  privacy: [],
  help: [{ key: 'command', type: 'text', charactersMax: 40 }],
};

/** In guilds, with the bot alone, and among others; installed by a guild or by a person. */
const EVERYWHERE = { integration_types: [0, 1], contexts: [0, 1, 2] };
const TYPES = { text: 3, person: 6 } as const;

/** All commands in the form of Discord's API. Registered again they replace themselves. */
export function commandList(): object[] {
  return [...COMMAND_NAMES.map(toCommand), ...[2, 3].map(toMenu)];
}

function toCommand(command: CommandName): object {
  const { name, description } = WORDS.en.commands[command];
  return {
    ...EVERYWHERE,
    type: 1,
    name,
    description,
    name_localizations: inOthers((words) => words.commands[command].name),
    description_localizations: inOthers((words) => words.commands[command].description),
    options: OPTIONS[command].map((option) => toOption(command, option)),
  };
}

function toOption(command: CommandName, { key, type, isRequired, isSuggested, charactersMax }: Option): object {
  const wordsOf = (words: DiscordWords): [string, string] => {
    const found = words.commands[command].options[key];
    if (!found) throw new Error(`the option ${key} of /${command} has no words in each language`);
    return found;
  };
  const [name, description] = wordsOf(WORDS.en);
  return {
    type: TYPES[type],
    name,
    description,
    name_localizations: inOthers((words) => wordsOf(words)[0]),
    description_localizations: inOthers((words) => wordsOf(words)[1]),
    required: isRequired === true,
    ...(isSuggested === true ? { autocomplete: true } : {}),
    ...(charactersMax === undefined ? {} : { max_length: charactersMax }),
  };
}

function toMenu(type: number): object {
  return { ...EVERYWHERE, type, name: WORDS.en.menu, name_localizations: inOthers((words) => words.menu) };
}

function inOthers(say: (words: DiscordWords) => string): Record<string, string> {
  const said = Object.entries(LOCALES).flatMap(([language, locales]) => {
    const words = WORDS[language as keyof typeof LOCALES];
    return locales.map((locale) => [locale, say(words)] as const);
  });
  return Object.fromEntries(said);
}
