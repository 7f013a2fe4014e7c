import { platformRow } from './platforms.ts';
import type { Recipient } from './recipient.ts';

/**
 * The page that shows whom a name means; null where there is none. Keys are plain ASCII that their platform allows, so
 * none can lead to another place.
 */
export function profileUrl({ platform, key }: Pick<Recipient, 'platform' | 'key'>): string | null {
  const { profiles, profileUrl: urlOf } = platformRow(platform);
  if (urlOf !== undefined) return urlOf(key);
  const { hosts, under } = profiles;
  const [host] = hosts;
  return host === undefined ? null : `https://${[host, under, key].filter((part) => part !== '').join('/')}`;
}
