import { getDomain, parse as parseDomain } from 'tldts';
import { parseHost } from './host.ts';
import { isProblem, type ParsedName, type Problem } from './parsed-name.ts';
import { NO_PROFILES, type PlatformRow } from './row.ts';

const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' };

const DOMAIN_LIKE = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}-]*(?:\.[\p{L}\p{N}\p{M}-]+)*\.\p{L}[\p{L}\p{N}\p{M}-]+\.?$/u;

export const web = {
  title: 'Website',
  receiver: 'a domain name',
  example: 'example.com',
  aliases: ['site', 'domain'],
  prefix: null,
  http: 'public',
  mcp: true,
  a2a: true,
  chat: true,
  nameIsIdentity: true,
  parse: parseWeb,
  recognises: (word) => /^https?:\/\//i.test(word) || isDomain(word),
  profiles: NO_PROFILES,
  profileUrl: (key) => `https://${key}/`,
  nameIsCalled: 'website',
  peopleAreCalled: 'as in a chat',
  proof: { method: 'domain' },
  toldBy: 'payer',
  addressLapses: true,
  keepsWallets: false,
} as const satisfies PlatformRow;

/** "alice.smith" and "ok.thanks" look like domains, but no such top level exists, so nobody can own them. */
function isDomain(word: string): boolean {
  if (!DOMAIN_LIKE.test(word)) return false;
  const { isIcann, isPrivate } = parseDomain(word, { allowPrivateDomains: true });
  return isIcann === true || isPrivate === true;
}

type Parts = { scheme: string; authority: string; rest: string };

/**
 * A domain, or a URL of nothing but a domain, reduced to its exact host: `sub.example.com` is not `example.com`. One
 * trailing dot is dropped, because it names the same host. A port other than the scheme's own is refused: it names a
 * server, while the ownership proof (DNS, or the well-known file) is about the host.
 */
export function parseWeb(text: string): ParsedName {
  const { scheme, authority, rest } = splitUrl(text);
  if (!Object.hasOwn(DEFAULT_PORTS, scheme)) return { problem: `is not an http or https address` };
  if (authority.includes('@')) return { problem: 'contains a user name before "@"' };
  const [name, port] = splitPort(authority);
  const parsed = parseHost(name.replace(/\.$/, ''));
  if (isProblem(parsed)) return parsed;
  const { host } = parsed;
  const problem = checkOwnable(host) ?? checkBare(host, port, DEFAULT_PORTS[scheme], rest);
  return problem ?? { key: host, display: name.replace(/\.$/, '') };
}

function splitUrl(text: string): Parts {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(text)?.[1];
  const afterScheme = scheme === undefined ? text : text.slice(scheme.length + 3);
  // A browser reads "\" as "/", so it ends the host.
  const end = afterScheme.search(/[/?#\\]/);
  return {
    scheme: scheme?.toLowerCase() ?? 'https',
    authority: end < 0 ? afterScheme : afterScheme.slice(0, end),
    rest: end < 0 ? '' : afterScheme.slice(end),
  };
}

function splitPort(authority: string): [name: string, port: string | null] {
  const match = /^([^:[\]]*):([0-9]*)$/.exec(authority);
  return match ? [match[1] ?? '', match[2] ?? ''] : [authority, null];
}

/** Uses the whole public suffix list with its private part: strangers share `github.io` as they share `co.uk`. */
function checkOwnable(host: string): Problem | null {
  if (getDomain(host, { allowPrivateDomains: true }) !== null) return null;
  return { problem: 'is a public suffix, under which many people have names' };
}

function checkBare(host: string, port: string | null, defaultPort: string | undefined, rest: string): Problem | null {
  if (port !== null && port !== '' && port !== defaultPort) {
    return { problem: 'names a port, and only a whole host can be paid', instead: host };
  }
  if (rest === '' || rest === '/') return null;
  return { problem: 'has more than a host in it, and only a whole host can be paid', instead: host };
}
