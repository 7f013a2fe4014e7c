import { PLATFORMS } from '../core/platforms/platforms.ts';
import type { Recipient } from '../core/platforms/recipient.ts';
import type { Resolution } from './port.ts';

/** E-mail addresses and domains are their own identity: there is nobody to ask. Null for every other platform. */
export function resolveByName(recipient: Recipient): Resolution | null {
  return PLATFORMS[recipient.platform].nameIsIdentity ? { kind: 'found', stableId: recipient.key } : null;
}
