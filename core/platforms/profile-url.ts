import { platformRow } from './platforms.ts';
import type { Recipient } from './recipient.ts';

/**
 * Where a person can see whom a name means; null where no page shows it. Keys are plain ASCII that their platform allows,
 * so none of them can lead anywhere else.
 */
export function profileUrl({ platform, key }: Pick<Recipient, 'platform' | 'key'>): string | null {
  if (platform === 'web') return `https://${key}/`;
  // Of somebody on Telegram only a name has a page.
  if (platform === 'telegram' && /^[0-9]+$/.test(key)) return null;
  const { hosts, under } = platformRow(platform).profiles;
  const [host] = hosts;
  return host === undefined ? null : `https://${[host, under, key].filter((part) => part !== '').join('/')}`;
}
