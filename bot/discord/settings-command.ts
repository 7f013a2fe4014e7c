import { PermissionFlagsBits, type ChatInputCommandInteraction } from 'discord.js';
import { RECEIPT_STYLES } from '../../core/communities/community-settings.ts';
import type { Person } from './event.ts';
import type { SettingName, SettingsWords } from '../../texts/discord/words.ts';

/** What a moderator chooses or types for a setting; without any, the subcommand is all. */
type Value =
  | { kind: 'choice'; choices: readonly string[] }
  | { kind: 'text'; charactersMax: number }
  | { kind: 'user' }
  /** Left out: no role any more. */
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
  lifetime: SHORT,
  log: { kind: 'choice', choices: ['here', 'off'] },
  role: { kind: 'role' },
  quorum: { kind: 'choice', choices: ['1', '2'] },
};
const NAMES = Object.keys(VALUES) as SettingName[];

export const SETTINGS_COMMAND = 'settings';
const VALUE = 'value';
const TYPES = { command: 1, subcommand: 1, text: 3, user: 6, role: 8 } as const;

/**
 * One subcommand for each setting, so that Discord itself offers the people, roles and choices that there are. It
 * exists only in guilds that have installed the bot, and is offered only to those who may change the guild.
 */
export function settingsCommand(
  words: SettingsWords,
  inOthers: (say: (words: SettingsWords) => string) => object,
): object {
  return {
    type: TYPES.command,
    name: SETTINGS_COMMAND,
    description: words.description,
    description_localizations: inOthers(({ description }) => description),
    integration_types: [0],
    contexts: [0],
    default_member_permissions: String(PermissionFlagsBits.ManageGuild),
    options: NAMES.map((name) => {
      const value = VALUES[name];
      return {
        type: TYPES.subcommand,
        name,
        description: words.settings[name],
        description_localizations: inOthers(({ settings }) => settings[name]),
        options: value === null ? [] : [toOption(value, words, inOthers)],
      };
    }),
  };
}

function toOption(
  value: Value,
  words: SettingsWords,
  inOthers: (say: (words: SettingsWords) => string) => object,
): object {
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
  const name = NAMES.find((known) => known === options.getSubcommand(false));
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
