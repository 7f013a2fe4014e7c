import { createHash } from 'node:crypto';
import { PLATFORM_NAMES, platformRow, type Platform } from '../core/platforms/platforms.ts';
import type { Recipient } from '../core/platforms/recipient.ts';
import type { Identity, Resolution } from '../identity/port.ts';

/**
 * The people of local mode: every well-formed handle that can be looked up exists, under a user id derived from it, so that a newcomer can
 * name any. Never used with real money.
 */
export function createLocalIdentity(offered: readonly Platform[] | 'configured'): Identity {
  return {
    platforms: offered === 'configured' ? PLATFORM_NAMES : offered,
    resolve: async (recipient) => resolutionOf(recipient),
    // Nothing is asked of anyone, so there is nothing to remember.
    peek: resolutionOf,
  };
}

/**
 * Where the name is the identity there is no other id. Chat accounts are known by the id under which the bot knows them:
 * under any other they could never collect, so a name among them is nobody's here either.
 */
function resolutionOf(recipient: Recipient): Resolution {
  const { platform, key } = recipient;
  const { isUserId, nameIsIdentity } = platformRow(platform);
  if (isUserId !== undefined && !isUserId(key)) return { kind: 'unavailable' };
  return { kind: 'found', stableId: nameIsIdentity || isUserId !== undefined ? key : localUserId(recipient) };
}

/**
 * Looks like a provider's numeric user id and depends on nothing but the handle. Some providers send it as a JSON
 * number: 53 bits.
 */
export function localUserId(recipient: Recipient): string {
  const digest = createHash('sha256').update(`pennypost/local/${recipient.platform}/${recipient.key}`).digest();
  return (digest.readBigUInt64BE(0) >> 11n).toString();
}
