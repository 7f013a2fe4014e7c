import type { Language } from '../../core/languages.ts';
import { DISCORD_TEXTS } from '../../texts/discord/languages.ts';
import { COMMAND_NAMES, type CommandName, type DiscordTexts } from '../../texts/discord/words.ts';
import { dropCommand, rewardCommand, settingsCommand, topCommand, treasuryCommand } from './guild-commands.ts';
import type { Network } from '../../core/networks.ts';

/** Discord's locales for each of our languages; all others get English. */
const LOCALES: Readonly<Record<Exclude<Language, 'en'>, readonly string[]>> = {
  es: ['es-ES', 'es-419'],
  de: ['de'],
  pt: ['pt-BR'],
  ja: ['ja'],
};

const english = DISCORD_TEXTS.en;

type Option = { key: string; type: 'text' | 'person'; isRequired?: true; isSuggested?: true; charactersMax?: number };

const AMOUNT = { key: 'amount', type: 'text', charactersMax: 60 } as const;
const NAME = { key: 'name', type: 'text', charactersMax: 300 } as const;

const AMOUNT_FIRST = { ...AMOUNT, isRequired: true } as const;
const NOTE = { key: 'note', type: 'text', charactersMax: 280 } as const;

const TIP = [
  AMOUNT_FIRST,
  { key: 'user', type: 'person' },
  { key: 'to', type: 'text', isSuggested: true, charactersMax: 1_500 },
  NOTE,
] as const;

/** In the order in which they follow the command in the text of the grammar; Discord wants the required ones first. */
export const OPTIONS: Readonly<Record<CommandName, readonly Option[]>> = {
  tip: TIP,
  pay: TIP,
  request: [AMOUNT_FIRST, { key: 'user', type: 'person' }, { key: 'to', type: 'text', charactersMax: 300 }, NOTE],
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
  block: [],
  privacy: [],
  help: [{ key: 'command', type: 'text', charactersMax: 40 }],
};

/** In guilds, with the bot alone, and among others; installed by a guild or by a person. */
const EVERYWHERE = { integration_types: [0, 1], contexts: [0, 1, 2] };
const TYPES = { text: 3, person: 6 } as const;

/** All commands that are offered here, in the form of Discord's API. Registered again they replace themselves. */
export function commandList(networks: readonly Network[], isHere: (command: string) => boolean): object[] {
  const settings = settingsCommand(english.settings, (say) => inOthers((texts) => say(texts.settings)));
  const treasury = treasuryCommand(english.treasury, (say) => inOthers((texts) => say(texts.treasury)), networks);
  const reward = rewardCommand(english.reward, (say) => inOthers((texts) => say(texts.reward)));
  const drop = dropCommand(english.drop, (say) => inOthers((texts) => say(texts.drop)));
  const top = topCommand(english.top, (say) => inOthers((texts) => say(texts.top)));
  const inGuilds = Object.entries({ settings, treasury, reward, drop, top });
  return [
    ...COMMAND_NAMES.filter((name) => isHere(name)).map(toCommand),
    ...inGuilds.flatMap(([name, command]) => (isHere(name) ? [command] : [])),
    ...[2, 3].map(toMenu),
  ];
}

function toCommand(command: CommandName): object {
  const { description } = english.commands[command];
  return {
    ...EVERYWHERE,
    type: 1,
    name: command,
    description,
    description_localizations: inOthers((texts) => texts.commands[command].description),
    options: OPTIONS[command].map((option) => toOption(command, option)),
  };
}

function toOption(command: CommandName, { key, type, isRequired, isSuggested, charactersMax }: Option): object {
  const wordsOf = (texts: DiscordTexts): [string, string] => {
    // The options of /pay have the names of those of /tip: only the paying wallet differs.
    const found = texts.commands[command === 'pay' ? 'tip' : command].options[key];
    if (!found) throw new Error(`the option ${key} of /${command} has no words in each language`);
    return found;
  };
  const [name, description] = wordsOf(english);
  return {
    type: TYPES[type],
    name,
    description,
    name_localizations: inOthers((texts) => wordsOf(texts)[0]),
    description_localizations: inOthers((texts) => wordsOf(texts)[1]),
    required: isRequired === true,
    ...(isSuggested === true ? { autocomplete: true } : {}),
    ...(charactersMax === undefined ? {} : { max_length: charactersMax }),
  };
}

function toMenu(type: number): object {
  return { ...EVERYWHERE, type, name: english.menu, name_localizations: inOthers((texts) => texts.menu) };
}

function inOthers(say: (texts: DiscordTexts) => string): Record<string, string> {
  const said = Object.entries(LOCALES).flatMap(([language, locales]) => {
    const texts = DISCORD_TEXTS[language as keyof typeof LOCALES];
    return locales.map((locale) => [locale, say(texts)] as const);
  });
  return Object.fromEntries(said);
}
