import { findPlatform, platformRow } from './platforms.ts';

/** `x:alice`, `github:octocat`, `alice@example.com`: the recipient as people write it, in a `/tip` as well. */
export function recipientName({ platform, key }: { platform: string; key: string }): string {
  const known = findPlatform(platform);
  const prefix = known === null ? platform : platformRow(known).prefix;
  return prefix === null ? key : `${prefix}:${key}`;
}
