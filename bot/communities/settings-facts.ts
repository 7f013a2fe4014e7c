import type { CommunitySettings } from '../../core/communities/community-settings.ts';
import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import { cutNames } from '../../texts/receipts/several.ts';
import { formatDuration } from '../../core/grammar/duration.ts';
import type { SettingFact } from '../../texts/communities/facts.ts';

type Kind = SettingFact['setting'];

/** A change of each that can be typed as it stands. */
export const SETTING_EXAMPLES: Readonly<Record<Kind, string>> = {
  channels: '/settings channels add',
  min: '/settings min 0.5',
  max: '/settings max 5',
  cooldown: '/settings cooldown 30s',
  receipts: '/settings receipts reaction',
  notes: '/settings notes off',
  lifetime: '/settings lifetime 1h',
  log: '/settings log here',
  role: '/settings role @role',
  quorum: '/settings quorum 1',
  ban: '/settings ban @name',
};

export function factsOf(settings: CommunitySettings, { transport }: { transport: string }): SettingFact[] {
  const { channels, cooldownSeconds, messageLifetimeSeconds: lifetime } = settings;
  return [
    { setting: 'channels', ...cutNames(channels.map(({ name }) => name)) },
    { setting: 'min', amount: toLimit(settings.tipMinMicroUsdc) },
    { setting: 'max', amount: toLimit(settings.tipMaxMicroUsdc) },
    { setting: 'cooldown', time: cooldownSeconds === 0 ? null : formatDuration(cooldownSeconds) },
    { setting: 'receipts', style: settings.receipts },
    { setting: 'notes', isOn: settings.hasNotes },
    { setting: 'lifetime', time: lifetime === null ? null : formatDuration(lifetime) },
    { setting: 'log', name: settings.logChat?.name ?? null },
    { setting: 'role', name: settings.rewardRole?.name ?? null, hasRoles: hasRoles(transport) },
    // Elsewhere the platform lists who moderates, and nobody has to say it.
    ...(hasRoles(transport) ? [{ setting: 'quorum', count: settings.rewardQuorum } as const] : []),
  ];
}

/** An amount as settings keep it. */
export function toLimit(text: string | null): MicroUsdc | null {
  return text === null ? null : microUsdc(BigInt(text));
}

/** Of the chats that know communities only Discord has roles that a moderator makes. */
export function hasRoles(transport: string): boolean {
  return transport === 'discord';
}
