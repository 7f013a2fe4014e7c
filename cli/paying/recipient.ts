import { quoteText } from '../../core/characters.ts';
import { findHttpPlatform, httpPlatforms, platformRow } from '../../core/platforms/platforms.ts';
import { findProfileLink } from '../../core/platforms/profile-link.ts';
import { findAddress, parseRecipient, type Recipient } from '../../core/platforms/recipient.ts';
import { badUsage } from '../terminal/stop.ts';

const FORMS = 'Name a recipient as x:alice, github:octocat, farcaster:alice, alice@example.com or web:example.com.';

/** Reads a recipient: `platform:name`, a link to a profile, or an e-mail address. Throws AppError or Stop. */
export function readRecipient(text: string): Recipient {
  const trimmed = text.trim();
  const link = findProfileLink(trimmed);
  if (link !== null) return onPlatform(link.platform, link.receiver);
  const [, platform, name] = /^@?([A-Za-z]+)[:/](?!\/)(.+)$/s.exec(trimmed) ?? [];
  if (platform !== undefined && name !== undefined) return onPlatform(platform, name);
  const address = /^[^@\s]+@[^@\s]+$/.test(trimmed) ? findAddress(trimmed) : null;
  if (address !== null) return parseRecipient(address.platform, address.receiver);
  throw badUsage(`${quoteText(trimmed)} does not say on which platform.`, FORMS);
}

/** The same with the platform in its own argument. Aliases such as "github" work. */
export function onPlatform(platformText: string, receiver: string): Recipient {
  const platform = findHttpPlatform(platformText.trim(), false);
  if (platform === null) {
    const names = httpPlatforms(false).map((name) => platformRow(name).aliases[0] ?? name);
    throw badUsage(`${quoteText(platformText)} is no platform that can be paid here.`, `One of: ${names.join(', ')}.`);
  }
  return parseRecipient(platform, receiver);
}
