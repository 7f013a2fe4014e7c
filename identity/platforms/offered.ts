import type { Config } from '../../core/config/sections.ts';
import {
  isProvenBy,
  PLATFORM_NAMES,
  type ChatPlatform,
  type OauthPlatform,
  type Platform,
} from '../../core/platforms/platforms.ts';
import { platformIdentity } from './platforms.ts';

/** The chat bots that this installation runs: they see who presses a claim's button. */
export type Chats = Readonly<Record<ChatPlatform, boolean>>;

/**
 * The platforms whose names can be resolved AND whose owners can prove themselves, so that every recipient can collect,
 * in the order of the table of platforms.
 */
export function configuredPlatforms(
  identity: Config['identity'],
  chats: Chats = { discord: false, telegram: false },
): readonly Platform[] {
  return PLATFORM_NAMES.filter(
    (platform) => platformIdentity(platform).resolving(identity) !== null && canProve(platform, identity, chats),
  );
}

function canProve(platform: Platform, identity: Config['identity'], chats: Chats): boolean {
  if (isProvenBy(platform, 'oauth')) return hasSignIn(identity[platform]);
  if (isProvenBy(platform, 'chat')) return chats[platform];
  if (isProvenBy(platform, 'siwf')) {
    return identity.farcasterHubUrl !== undefined && identity.optimismRpcUrl !== undefined;
  }
  if (isProvenBy(platform, 'email')) return identity.smtpUrl !== undefined && identity.mailFrom !== undefined;
  return isProvenBy(platform, 'domain');
}

function hasSignIn({ clientId, clientSecret, authUrl, tokenUrl }: Config['identity'][OauthPlatform]): boolean {
  return [clientId, clientSecret, authUrl, tokenUrl].every((value) => value !== undefined);
}
