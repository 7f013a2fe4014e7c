import type { Config, Role } from '../../core/config/config.ts';
import { NETWORKS, networkTitle } from '../../core/networks.ts';
import { PLATFORM_NAMES, platformRow, type ChatPlatform, type Platform } from '../../core/platforms/platforms.ts';
import { missingSettings, type Chats } from '../../identity/platforms/offered.ts';

/** One thing that an installation can offer. `missing`: why it does not, as the end of "not offered: …". */
/** `key`: its name in the program. */
export type Offer = {
  key: string;
  kind: 'role' | 'network' | 'platform' | 'chat';
  title: string;
  missing: string | null;
};

type Offering = Pick<Config, 'mode' | 'networks' | 'platforms' | 'identity' | 'discord' | 'telegram'>;

/** Everything that this installation offers or does not, and which setting decides it. Asks nobody outside. */
export function listOffers(config: Offering, roles: readonly Role[]): Offer[] {
  return [
    ...(['api', 'worker', 'bot'] as const).map((role): Offer => ({
      key: role,
      kind: 'role',
      title: role,
      missing: roles.includes(role) ? null : 'started apart',
    })),
    ...NETWORKS.map((network): Offer => {
      const missing = config.networks.includes(network) ? null : `add ${network} to NETWORKS`;
      return { key: network, kind: 'network', title: networkTitle(network, null), missing };
    }),
    ...PLATFORM_NAMES.map((platform): Offer => {
      return {
        key: platform,
        kind: 'platform',
        title: platformRow(platform).title,
        missing: platformMissing(config, platform),
      };
    }),
    {
      key: 'web',
      kind: 'chat',
      title: 'web chat',
      missing: config.mode === 'local' ? null : 'it exists for play money only',
    },
    ...CHATS.map((chat): Offer => {
      const missing = config[chat] === undefined ? missingText(missingSettings(chat, config.identity)) : null;
      return { key: chat, kind: 'chat', title: platformRow(chat).title, missing };
    }),
  ];
}

/** As lines with columns, for the start and for `doctor`. */
export function offerLines(offers: readonly Offer[]): string[] {
  const width = Math.max(...offers.map(({ title }) => title.length));
  return offers.map(({ kind, title, missing }) => {
    const verdict = missing === null ? 'offered' : `not offered: ${missing}`;
    return `  ${kind.padEnd(8)}  ${title.padEnd(width)}  ${verdict}`;
  });
}

const CHATS: readonly ChatPlatform[] = ['discord', 'telegram'];

function platformMissing({ mode, platforms, identity, ...config }: Offering, platform: Platform): string | null {
  const chats: Chats = { discord: config.discord !== undefined, telegram: config.telegram !== undefined };
  // Local mode brings stand-ins for all providers.
  const missing = mode === 'local' ? [] : missingSettings(platform, identity, chats);
  if (missing.length > 0) return missingText(missing);
  return platforms === 'configured' || platforms.includes(platform) ? null : `add ${platform} to PLATFORMS`;
}

const missingText = (names: readonly string[]): string =>
  `${names.join(' and ')} ${names.length > 1 ? 'are' : 'is'} not set`;
