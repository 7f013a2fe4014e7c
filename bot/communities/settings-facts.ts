import { RECEIPT_STYLES, type CommunitySettings } from '../../core/communities/community-settings.ts';
import { LANGUAGE_TAGS, ownName } from '../../core/languages.ts';
import { findChatRow } from '../../core/chats/chats.ts';
import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import { cutNames } from '../../texts/receipts/several.ts';
import { formatDuration } from '../../core/grammar/duration.ts';
import type { SettingFact } from '../../texts/communities/facts.ts';

type Kind = SettingFact['setting'];

/** For each setting, a change that can be typed as it stands. */
export const SETTING_EXAMPLES: Readonly<Record<Kind, string>> = {
  channels: '/settings channels add',
  min: '/settings min 0.5',
  max: '/settings max 5',
  cooldown: '/settings cooldown 30s',
  receipts: '/settings receipts reaction',
  notes: '/settings notes off',
  language: '/settings language español',
  lifetime: '/settings lifetime 1h',
  log: '/settings log here',
  role: '/settings role @role',
  drops: '/settings drops @role',
  quorum: '/settings quorum 1',
  ban: '/settings ban @name',
};

/** What a moderator may change by one press, from what holds now. */
export function togglesOf(settings: CommunitySettings): string[] {
  const { hasNotes, receipts, logChat, channels, cooldownSeconds, language } = settings;
  const { messageLifetimeSeconds: lifetime } = settings;
  return [
    `notes ${hasNotes ? 'off' : 'on'}`,
    ...RECEIPT_STYLES.filter((style) => style !== receipts).map((style) => `receipts ${style}`),
    `log ${logChat === null ? 'here' : 'off'}`,
    `channels ${channels.length === 0 ? 'add' : 'all'}`,
    `cooldown ${cooldownSeconds === 0 ? '30s' : 'off'}`,
    `lifetime ${lifetime === null ? '1h' : 'off'}`,
    ...LANGUAGE_TAGS.filter((tag) => tag !== language).map((tag) => `language ${ownName(tag)}`),
    ...(language === null ? [] : ['language off']),
    ...(settings.tipMinMicroUsdc === null ? [] : ['min off']),
    ...(settings.tipMaxMicroUsdc === null ? [] : ['max off']),
  ].map((change) => `/settings ${change}`);
}

export function factsOf(settings: CommunitySettings, { transport }: { transport: string }): SettingFact[] {
  const { channels, cooldownSeconds, messageLifetimeSeconds: lifetime } = settings;
  return [
    { setting: 'channels', ...cutNames(channels.map(({ name }) => name)) },
    { setting: 'min', amount: toLimit(settings.tipMinMicroUsdc) },
    { setting: 'max', amount: toLimit(settings.tipMaxMicroUsdc) },
    { setting: 'cooldown', time: cooldownSeconds === 0 ? null : formatDuration(cooldownSeconds) },
    { setting: 'receipts', style: settings.receipts },
    { setting: 'notes', isOn: settings.hasNotes },
    { setting: 'language', name: settings.language === null ? null : ownName(settings.language) },
    { setting: 'lifetime', time: lifetime === null ? null : formatDuration(lifetime) },
    { setting: 'log', name: settings.logChat?.name ?? null },
    { setting: 'role', name: settings.rewardRole?.name ?? null, hasRoles: hasRoles(transport) },
    { setting: 'drops', name: settings.dropRole?.name ?? null, hasRoles: hasRoles(transport) },
    // Elsewhere the platform lists the moderators, and nobody has to name them.
    ...(hasRoles(transport) ? [{ setting: 'quorum', count: settings.rewardQuorum } as const] : []),
  ];
}

/** An amount as settings keep it. */
export function toLimit(text: string | null): MicroUsdc | null {
  return text === null ? null : microUsdc(BigInt(text));
}

/** Whether moderators there give members roles. */
export function hasRoles(transport: string): boolean {
  return findChatRow(transport)?.hasRoles ?? false;
}
