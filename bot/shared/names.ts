import { recipientName } from '../../core/platforms/recipient-name.ts';
import { platformRow } from '../../core/platforms/platforms.ts';
import type { Recipient } from '../../core/platforms/recipient.ts';
import type { Origin } from './messenger.ts';

/** A recipient as an order and its receipts show it: where a community reads along, private names are masked. */
export function shownName(
  { communityId }: Pick<Origin, 'communityId'>,
  { platform, key }: Pick<Recipient, 'platform' | 'key'>,
): string {
  const { mask } = platformRow(platform);
  return recipientName({ platform, key: communityId === undefined || mask === undefined ? key : mask(key) });
}

/** Each person once, in the order in which they were first named. */
export function eachOnce(recipients: readonly [Recipient, ...Recipient[]]): readonly [Recipient, ...Recipient[]] {
  const [first, ...more] = recipients;
  const seen = new Set([recipientName(first)]);
  const others = more.filter((recipient) => {
    const name = recipientName(recipient);
    return seen.has(name) ? false : seen.add(name);
  });
  return [first, ...others];
}
