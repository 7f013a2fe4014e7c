import { PermissionFlagsBits, type ChatInputCommandInteraction } from 'discord.js';
import { RECEIPT_STYLES } from '../../core/communities/community-settings.ts';
import { LANGUAGE_TAGS, ownName } from '../../core/languages.ts';
import type { Network } from '../../core/networks.ts';
import {
  TREASURY_STEPS,
  type DropWords,
  type RewardWords,
  type SettingName,
  type SettingsWords,
  type TopWords,
  type TreasuryStep,
  type TreasuryWords,
} from '../../texts/discord/words.ts';
import { byNumber } from './command-text.ts';
import type { Person } from './event.ts';

/** The commands of guilds that have installed the bot: how each is offered, and how it reads in the grammar. */

const TYPES = { command: 1, subcommand: 1, text: 3, user: 6, role: 8 } as const;
type InOthers<Words> = (say: (words: Words) => string) => object;

/** What a moderator chooses or types for a setting; where there is none, the subcommand says it all. */
type Value =
  | { kind: 'choice'; choices: readonly string[] }
  | { kind: 'text'; charactersMax: number }
  | { kind: 'user' }
  /** Left out: the role is removed. */
  | { kind: 'role' };

const SHORT = { kind: 'text', charactersMax: 20 } as const;

/** In the order in which Discord lists them. */
const VALUES: Readonly<Record<SettingName, Value | null>> = {
  show: null,
  channels: { kind: 'choice', choices: ['add', 'remove', 'all'] },
  min: SHORT,
  max: SHORT,
  cooldown: SHORT,
  ban: { kind: 'user' },
  unban: { kind: 'user' },
  receipts: { kind: 'choice', choices: RECEIPT_STYLES },
  notes: { kind: 'choice', choices: ['on', 'off'] },
  language: { kind: 'choice', choices: [...LANGUAGE_TAGS.map((tag) => ownName(tag)), 'off'] },
  lifetime: SHORT,
  log: { kind: 'choice', choices: ['here', 'off'] },
  role: { kind: 'role' },
  drops: { kind: 'role' },
  quorum: { kind: 'choice', choices: ['1', '2'] },
};
const SETTING_NAMES = Object.keys(VALUES) as SettingName[];

export const SETTINGS_COMMAND = 'settings';
const VALUE = 'value';

/**
 * One subcommand for each setting, so that Discord itself offers the people, roles and choices that there are. It
 * exists only in guilds that have installed the bot, and is offered only to those who may change the guild.
 */
export function settingsCommand(words: SettingsWords, inOthers: InOthers<SettingsWords>): object {
  return {
    type: TYPES.command,
    name: SETTINGS_COMMAND,
    description: words.description,
    description_localizations: inOthers(({ description }) => description),
    integration_types: [0],
    contexts: [0],
    default_member_permissions: String(PermissionFlagsBits.ManageGuild),
    options: SETTING_NAMES.map((name) => {
      const value = VALUES[name];
      return {
        type: TYPES.subcommand,
        name,
        description: words.settings[name],
        description_localizations: inOthers(({ settings }) => settings[name]),
        options: value === null ? [] : [settingOptionOf(value, words, inOthers)],
      };
    }),
  };
}

function settingOptionOf(value: Value, words: SettingsWords, inOthers: InOthers<SettingsWords>): object {
  const { kind } = value;
  const named = {
    name: VALUE,
    description: words.values[kind],
    description_localizations: inOthers(({ values }) => values[kind]),
    required: kind !== 'role',
  };
  switch (kind) {
    case 'choice':
      return { ...named, type: TYPES.text, choices: value.choices.map((choice) => ({ name: choice, value: choice })) };
    case 'text':
      return { ...named, type: TYPES.text, max_length: value.charactersMax };
    case 'user':
    case 'role':
      return { ...named, type: TYPES[kind] };
  }
}

type Entered = { text: string; people: Person[]; roles: { id: string; name: string }[] };

/** The same in the words of the grammar (core/grammar/settings.ts); null for a subcommand of another version. */
export function readSettings({ options }: Pick<ChatInputCommandInteraction, 'options'>): Entered | null {
  const name = SETTING_NAMES.find((known) => known === options.getSubcommand(false));
  if (name === undefined) return null;
  if (name === 'show') return { text: '/settings', people: [], roles: [] };
  const kind = VALUES[name]?.kind;
  const user = kind === 'user' ? options.getUser(VALUE) : null;
  if (user !== null) {
    const people = [{ id: user.id, name: user.displayName, isBot: user.bot }];
    return { text: `/settings ${name} <@${user.id}>`, people, roles: [] };
  }
  if (kind === 'role') {
    const role = options.getRole(VALUE);
    if (role === null) return { text: `/settings ${name} off`, people: [], roles: [] };
    return { text: `/settings ${name} <@&${role.id}>`, people: [], roles: [{ id: role.id, name: role.name }] };
  }
  return { text: `/settings ${name} ${options.getString(VALUE) ?? ''}`.trim(), people: [], roles: [] };
}

export const REWARD_COMMAND = 'reward';

/** In the grammar's order. None is required, since `without` alone makes the open card again. */
const REWARD_OPTIONS = { post: 300, budget: 40, without: 1_500 } as const;
const REWARD_NAMES = Object.keys(REWARD_OPTIONS) as (keyof typeof REWARD_OPTIONS)[];

/**
 * Offered to everyone in guilds that have installed the bot: the guild sets who may confirm, so that is judged on each
 * use.
 */
export function rewardCommand(words: RewardWords, inOthers: InOthers<RewardWords>): object {
  return textCommand(REWARD_COMMAND, words, { inOthers, options: REWARD_OPTIONS });
}

/** `options`: how many characters each may have. None is required: the grammar says what is missing. */
type TextOptions<Words> = {
  inOthers: InOthers<Words>;
  options: Record<Exclude<keyof Words & string, 'description'>, number>;
};

/** A command of guilds that have installed the bot, with fields that are typed. */
function textCommand<Words extends Record<keyof Words, string> & { description: string }>(
  name: string,
  words: Words,
  { inOthers, options }: TextOptions<Words>,
): object {
  return {
    type: TYPES.command,
    name,
    description: words.description,
    description_localizations: inOthers(({ description }) => description),
    integration_types: [0],
    contexts: [0],
    options: (Object.keys(options) as (keyof typeof options)[]).map((option) => ({
      type: TYPES.text,
      name: option,
      description: words[option],
      description_localizations: inOthers((other) => other[option]),
      required: false,
      max_length: options[option],
    })),
  };
}

export const DROP_COMMAND = 'drop';
/** In the grammar's order. */
const DROP_OPTIONS = { amount: 40, people: 20, time: 20, from: 20, without: 300 } as const;

export function dropCommand(words: DropWords, inOthers: InOthers<DropWords>): object {
  return textCommand(DROP_COMMAND, words, { inOthers, options: DROP_OPTIONS });
}

/** The same in the words of the grammar (core/grammar/reward.ts); with neither sum nor names it asks for the list. */
export function readDrop({ options }: Pick<ChatInputCommandInteraction, 'options'>): string {
  const typed = (name: keyof typeof DROP_OPTIONS) => options.getString(name)?.trim() ?? '';
  const without = byNumber(typed('without'));
  const from = typed('from') === '' ? '' : `from ${typed('from')}`;
  const struck = without.trim() === '' ? '' : `without ${without.trim()}`;
  const asked = struck === '' ? [typed('amount'), typed('people'), typed('time')] : [];
  return ['/drop', ...asked, from, struck].filter((part) => part !== '').join(' ');
}

export const TOP_COMMAND = 'top';
const TOP_OPTIONS = { choice: 20 } as const;

export function topCommand(words: TopWords, inOthers: InOthers<TopWords>): object {
  return textCommand(TOP_COMMAND, words, { inOthers, options: TOP_OPTIONS });
}

export function readTop({ options }: Pick<ChatInputCommandInteraction, 'options'>): string {
  return `/top ${options.getString('choice')?.trim() ?? ''}`.trim();
}

/** The same in the words of the grammar (core/grammar/reward.ts). */
export function readReward({ options }: Pick<ChatInputCommandInteraction, 'options'>): string {
  const [post, budget, without] = REWARD_NAMES.map((name) => options.getString(name)?.trim() ?? '');
  const left = without === undefined || without === '' ? [] : [`without ${without}`];
  return ['/reward', post, budget, ...left].filter((part) => part !== undefined && part !== '').join(' ');
}

export const TREASURY_COMMAND = 'treasury';

/** Offered to everyone in guilds that have installed the bot: what a member may do is judged on each use. */
export function treasuryCommand(
  words: TreasuryWords,
  inOthers: InOthers<TreasuryWords>,
  networks: readonly Network[],
): object {
  return {
    type: TYPES.command,
    name: TREASURY_COMMAND,
    description: words.description,
    description_localizations: inOthers(({ description }) => description),
    integration_types: [0],
    contexts: [0],
    options: TREASURY_STEPS.map((step) => ({
      type: TYPES.subcommand,
      name: step,
      description: words.steps[step],
      description_localizations: inOthers(({ steps }) => steps[step]),
      options: treasuryOptionsOf(step, words, { inOthers, networks }),
    })),
  };
}

type Offered = { inOthers: InOthers<TreasuryWords>; networks: readonly Network[] };

function treasuryOptionsOf(step: TreasuryStep, words: TreasuryWords, { inOthers, networks }: Offered): object[] {
  const text = (name: 'address' | 'amount' | 'network', more: object) => ({
    type: TYPES.text,
    name,
    description: words[name],
    description_localizations: inOthers((other) => other[name]),
    ...more,
  });
  if (step === 'address') return [text('address', { required: true, max_length: 100 })];
  if (step !== 'withdraw' && step !== 'give') return [];
  const choices = networks.map((network) => ({ name: network, value: network }));
  return [text('amount', { required: true, max_length: 40 }), text('network', { required: false, choices })];
}

/** The same in the words of the grammar (core/grammar/treasury.ts); null for a subcommand of another version. */
export function readTreasury({ options }: Pick<ChatInputCommandInteraction, 'options'>): string | null {
  const step = TREASURY_STEPS.find((known) => known === options.getSubcommand(false));
  if (step === undefined) return null;
  const values = ['address', 'amount', 'network'].flatMap((name) => options.getString(name) ?? []);
  return [`/treasury ${step}`, ...values].join(' ');
}
