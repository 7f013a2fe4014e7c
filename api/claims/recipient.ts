import { findPlatform } from '../../core/platforms/platforms.ts';
import type { Recipient } from '../../core/platforms/recipient.ts';
import type { ClaimRow } from '../../db/claims/find.ts';

/** The recipient of a claim, as requested. */
export function recipientOf({ id, platform: name, key, display }: ClaimRow): Recipient {
  const platform = findPlatform(name);
  if (platform === null) throw new Error(`expected claim ${id} on a known platform, found ${name}`);
  return { platform, key, display };
}
