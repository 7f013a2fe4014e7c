import { PLATFORM_NAMES, platformRow, type Platform } from './platforms.ts';

export type ProfileLink = { platform: Platform; receiver: string };

const byHost = new Map<string, Platform>(
  PLATFORM_NAMES.flatMap((platform) => platformRow(platform).profiles.hosts.map((host) => [host, platform] as const)),
);

/**
 * Reads a link to a profile, with or without its scheme: `https://github.com/octocat` → code, octocat. A deeper link (a
 * post, a repository) does not name a person. The receiver still has to be parsed.
 */
export function findProfileLink(text: string): ProfileLink | null {
  const link = /^(?:https?:\/\/)?([A-Za-z0-9.-]+)\/([A-Za-z0-9._@/-]+?)\/?(?:[?#].*)?$/.exec(text);
  const host = link?.[1]?.toLowerCase().replace(/^(?:www|m|mobile)\./, '');
  const platform = byHost.get(host ?? '');
  if (platform === undefined) return null;
  const { under, notNames } = platformRow(platform).profiles;
  const path = link?.[2] ?? '';
  const name = (under === '' ? path : path.startsWith(`${under}/`) ? path.slice(under.length + 1) : '').replace(
    /^@/,
    '',
  );
  if (name === '' || name.includes('/') || notNames.includes(name.toLowerCase())) return null;
  return { platform, receiver: name };
}
