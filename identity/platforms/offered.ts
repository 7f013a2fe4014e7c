import type { Config } from '../../core/config/sections.ts';
import { signInName, type VariableName } from '../../core/config/variables.ts';
import {
  isProvenBy,
  PLATFORM_NAMES,
  type ChatPlatform,
  type OauthPlatform,
  type Platform,
} from '../../core/platforms/platforms.ts';
import { PLATFORM_IDENTITIES, platformIdentity } from './platforms.ts';

/** The chat bots that this installation runs: they see who presses a claim's button. */
export type Chats = Readonly<Record<ChatPlatform, boolean>>;

/**
 * The platforms whose names can be resolved AND whose owners can prove themselves, so that every recipient can collect,
 * in the order of the table of platforms.
 */
export function configuredPlatforms(identity: Config['identity'], chats: Partial<Chats> = {}): readonly Platform[] {
  return PLATFORM_NAMES.filter(
    (platform) =>
      platformIdentity(platform).resolving(identity) !== null && missingProof(platform, identity, chats).length === 0,
  );
}

/** The settings that keep a platform out, by name; none where it is offered. */
export function missingSettings(
  platform: Platform,
  identity: Config['identity'],
  chats: Partial<Chats> = {},
): readonly VariableName[] {
  const { needs = [], resolving } = platformIdentity(platform);
  const known = settingsOf(identity);
  const unresolved = resolving(identity) === null ? needs.filter((name) => known.get(name) === undefined) : [];
  return [...new Set([...missingProof(platform, identity, chats), ...unresolved])];
}

/** The provider's own endpoints, unless others are configured. */
export function signInEndpoints(identity: Config['identity'], platform: OauthPlatform) {
  const { provider } = PLATFORM_IDENTITIES[platform];
  const { authUrl = provider.authUrl, tokenUrl = provider.tokenUrl } = identity[platform];
  return { authUrl, tokenUrl };
}

const CHAT_SETTINGS = {
  discord: ['DISCORD_TOKEN', 'DISCORD_APP_ID'],
  telegram: ['TELEGRAM_TOKEN'],
} as const satisfies Record<ChatPlatform, readonly VariableName[]>;

function missingProof(
  platform: Platform,
  identity: Config['identity'],
  chats: Partial<Chats>,
): readonly VariableName[] {
  if (isProvenBy(platform, 'chat')) return chats[platform] === true ? [] : CHAT_SETTINGS[platform];
  const known = settingsOf(identity);
  return proofNeeds(platform).filter((name) => known.get(name) === undefined);
}

function proofNeeds(platform: Platform): readonly VariableName[] {
  if (isProvenBy(platform, 'oauth')) {
    return [signInName(platform, 'CLIENT_ID'), signInName(platform, 'CLIENT_SECRET')];
  }
  if (isProvenBy(platform, 'siwf')) return ['FARCASTER_HUB_URL', 'OPTIMISM_RPC_URL'];
  return isProvenBy(platform, 'email') ? ['SMTP_URL', 'MAIL_FROM'] : [];
}

/** What decides about offering, by the names that an operator sets. */
function settingsOf(identity: Config['identity']): ReadonlyMap<VariableName, string | undefined> {
  const signIns = PLATFORM_NAMES.flatMap((platform): [VariableName, string | undefined][] => {
    if (!isProvenBy(platform, 'oauth')) return [];
    const { clientId, clientSecret, appToken, lookupUrl } = identity[platform];
    return [
      [signInName(platform, 'CLIENT_ID'), clientId],
      [signInName(platform, 'CLIENT_SECRET'), clientSecret],
      [signInName(platform, 'APP_TOKEN'), appToken],
      [signInName(platform, 'LOOKUP_URL'), lookupUrl],
    ];
  });
  return new Map<VariableName, string | undefined>([
    ...signIns,
    ['FARCASTER_HUB_URL', identity.farcasterHubUrl],
    ['OPTIMISM_RPC_URL', identity.optimismRpcUrl],
    ['SMTP_URL', identity.smtpUrl],
    ['MAIL_FROM', identity.mailFrom],
  ]);
}
