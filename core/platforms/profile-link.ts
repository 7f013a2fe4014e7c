import { PLATFORM_NAMES, platformRow, type Platform } from './platforms.ts';

export type ProfileLink = { platform: Platform; receiver: string };

/** A page below a name: `x.com/alice/status/1` is Alice's, `github.com/octocat/hello/pull/7` was opened by anyone. */
export type PostLink = { platform: Platform; receiver: string | null; by: 'author' | 'owner' };

const byHost = new Map<string, Platform>(
  PLATFORM_NAMES.flatMap((platform) => platformRow(platform).profiles.hosts.map((host) => [host, platform] as const)),
);

/**
 * Reads a link to a profile, with or without its scheme: `https://github.com/octocat` → code, octocat. A deeper link (a
 * post, a repository) does not name a person. The receiver still has to be parsed.
 */
export function findProfileLink(text: string): ProfileLink | null {
  const link = readLink(text);
  return link !== null && link.name !== null && link.rest === ''
    ? { platform: link.platform, receiver: link.name }
    : null;
}

/** The same for a link to what stands below a name; `receiver` is null where the link names nobody. */
export function findPostLink(text: string): PostLink | null {
  const link = readLink(text);
  if (link === null || (link.name !== null && link.rest === '')) return null;
  const { deeper } = platformRow(link.platform).profiles;
  return { platform: link.platform, receiver: deeper === undefined ? null : link.name, by: deeper ?? 'owner' };
}

const HOST_LABELS_MAX = Math.max(...Array.from(byHost.keys(), (host) => host.split('.').length));

/** The platform whose own site a host is, such as `x.com`, or a part of, such as `gist.github.com`. */
export function platformOfHost(host: string): Platform | null {
  const labels = host.toLowerCase().replace(/\.$/, '').split('.').slice(-HOST_LABELS_MAX);
  return labels.reduce<Platform | null>(
    (found, _, at) => found ?? byHost.get(labels.slice(at).join('.')) ?? null,
    null,
  );
}

/** `name`: null where the page is nobody's. */
function readLink(text: string): { platform: Platform; name: string | null; rest: string } | null {
  const [, host = '', path = ''] = /^(?:https?:\/\/)?([A-Za-z0-9.-]+)\/([^\s?#]+?)\/?(?:[?#].*)?$/.exec(text) ?? [];
  const platform = byHost.get(host.toLowerCase().replace(/^(?:www|m|mobile)\./, ''));
  if (platform === undefined) return null;
  const { under, notNames } = platformRow(platform).profiles;
  const isUnder = under === '' || path.startsWith(`${under}/`);
  const [first = '', ...more] = (isUnder && under !== '' ? path.slice(under.length + 1) : path).split('/');
  const name = first.replace(/^@/, '');
  const isName = isUnder && /^[A-Za-z0-9._-]+$/.test(name) && !notNames.includes(name.toLowerCase());
  return { platform, name: isName ? name : null, rest: more.join('/') };
}
