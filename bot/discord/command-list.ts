import type { Language } from '../core/texts/languages.ts';
import { REWARD_WORDS, SETTINGS_WORDS, TREASURY_WORDS, WORDS } from './all-words.ts';
import { rewardCommand } from './reward-command.ts';
import { settingsCommand } from './settings-command.ts';
import { treasuryCommand } from './treasury-command.ts';
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

const TIP = [
  { ...AMOUNT, isRequired: true },
  { key: 'user', type: 'person' },
  { key: 'to', type: 'text', isSuggested: true, charactersMax: 1_500 },
  { key: 'note', type: 'text', charactersMax: 280 },
] as const;

/** In the order in which they follow the command in the text of the grammar; Discord wants the required ones first. */
export const OPTIONS: Readonly<Record<CommandName, readonly Option[]>> = {
  tip: TIP,
  pay: TIP,
  balance: [],
  deposit: [],
  withdraw: [AMOUNT, { key: 'address', type: 'text', charactersMax: 100 }],
  wallet: [],
  limits: [{ key: 'change', type: 'text', charactersMax: 60 }],
  lock: [],
  unlock: [],
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
  const settings = settingsCommand(SETTINGS_WORDS.en, (say) => inOthers(SETTINGS_WORDS, say));
  const treasury = treasuryCommand(TREASURY_WORDS.en, (say) => inOthers(TREASURY_WORDS, say));
  const reward = rewardCommand(REWARD_WORDS.en, (say) => inOthers(REWARD_WORDS, say));
  return [...COMMAND_NAMES.map(toCommand), settings, treasury, reward, ...[2, 3].map(toMenu)];
}

function toCommand(command: CommandName): object {
  const { description } = WORDS.en.commands[command];
  return {
    ...EVERYWHERE,
    type: 1,
    name: command,
    description,
    description_localizations: inOthers(WORDS, (words) => words.commands[command].description),
    options: OPTIONS[command].map((option) => toOption(command, option)),
  };
}

function toOption(command: CommandName, { key, type, isRequired, isSuggested, charactersMax }: Option): object {
  const wordsOf = (words: DiscordWords): [string, string] => {
    // What is entered for a tip is called the same whoever's wallet pays it.
    const found = words.commands[command === 'pay' ? 'tip' : command].options[key];
    if (!found) throw new Error(`the option ${key} of /${command} has no words in each language`);
    return found;
  };
  const [name, description] = wordsOf(WORDS.en);
  return {
    type: TYPES[type],
    name,
    description,
    name_localizations: inOthers(WORDS, (words) => wordsOf(words)[0]),
    description_localizations: inOthers(WORDS, (words) => wordsOf(words)[1]),
    required: isRequired === true,
    ...(isSuggested === true ? { autocomplete: true } : {}),
    ...(charactersMax === undefined ? {} : { max_length: charactersMax }),
  };
}

function toMenu(type: number): object {
  return { ...EVERYWHERE, type, name: WORDS.en.menu, name_localizations: inOthers(WORDS, (words) => words.menu) };
}

function inOthers<Words>(
  all: Readonly<Record<Language, Words>>,
  say: (words: Words) => string,
): Record<string, string> {
  const said = Object.entries(LOCALES).flatMap(([language, locales]) => {
    const words = all[language as keyof typeof LOCALES];
    return locales.map((locale) => [locale, say(words)] as const);
  });
  return Object.fromEntries(said);
}
