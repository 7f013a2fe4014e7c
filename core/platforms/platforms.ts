/**
 * The one table of platforms (contract, section 1). Routes, tools, skills, the chat grammar and the claim methods are
 * all derived from it: a new platform is a row here and a file beside it.
 */
type PlatformRow = {
  /** The platform as people call it. */
  title: string;
  /** What a receiver is here, as words that complete "wanted: …". */
  receiver: string;
  /** A receiver that passes; error texts show it. */
  example: string;
  /** Work wherever the name does; answers carry the canonical name. */
  aliases: readonly string[];
  /** `bot`: the route exists only for callers with the bot's service token. */
  http: 'public' | 'bot';
  mcp: boolean;
  a2a: boolean;
  chat: boolean;
  /** True where the name itself is the identity; elsewhere a stable user id stands behind it. */
  nameIsIdentity: boolean;
  /**
   * Where people see this name in a browser, so that a pasted link can be pointed to the right platform: its hosts
   * (without `www.`), the path segment before the name (mostly none), and the segments that are pages, not names.
   */
  profiles: { hosts: readonly string[]; under: string; notNames: readonly string[] };
};

const NO_PROFILES = { hosts: [], under: '', notNames: [] } as const satisfies PlatformRow['profiles'];

export const PLATFORMS = {
  x: {
    title: 'X',
    receiver: 'an X handle (1 to 15 letters, digits or underscores)',
    example: 'alice',
    aliases: ['twitter'],
    http: 'public',
    mcp: true,
    a2a: true,
    chat: true,
    nameIsIdentity: false,
    profiles: {
      hosts: ['x.com', 'twitter.com'],
      under: '',
      // prettier-ignore
      notNames: [
        'about', 'compose', 'download', 'explore', 'hashtag', 'home', 'i', 'intent', 'jobs', 'login', 'logout', 'messages',
        'notifications', 'privacy', 'search', 'settings', 'share', 'signup', 'tos',
      ],
    },
  },
  decsocial: {
    title: 'Farcaster',
    receiver: 'a Farcaster name (1 to 16 letters, digits or hyphens, no hyphen first) or an ENS name that ends in .eth',
    example: 'alice',
    aliases: ['farcaster', 'fc', 'warpcast'],
    http: 'public',
    mcp: true,
    a2a: true,
    chat: true,
    nameIsIdentity: false,
    profiles: { hosts: ['farcaster.xyz', 'warpcast.com'], under: '', notNames: [] },
  },
  code: {
    title: 'GitHub',
    receiver: 'a GitHub login (1 to 39 letters or digits, single hyphens between them)',
    example: 'octocat',
    aliases: ['github', 'gh'],
    http: 'public',
    mcp: true,
    a2a: true,
    chat: true,
    nameIsIdentity: false,
    profiles: {
      hosts: ['github.com'],
      under: '',
      // prettier-ignore
      notNames: [
        'about', 'apps', 'collections', 'contact', 'dashboard', 'enterprise', 'enterprises', 'events', 'explore', 'features',
        'issues', 'join', 'login', 'logout', 'marketplace', 'new', 'notifications', 'organizations', 'orgs', 'pricing',
        'pulls', 'readme', 'search', 'security', 'sessions', 'settings', 'signup', 'site', 'sponsors', 'stars', 'team',
        'topics', 'trending', 'users', 'watching',
      ],
    },
  },
  email: {
    title: 'E-mail',
    receiver: 'one e-mail address',
    example: 'alice@example.com',
    aliases: ['mail'],
    http: 'public',
    mcp: true,
    a2a: true,
    chat: true,
    nameIsIdentity: true,
    profiles: NO_PROFILES,
  },
  web: {
    title: 'Website',
    receiver: 'a domain name',
    example: 'example.com',
    aliases: ['site', 'domain'],
    http: 'public',
    mcp: true,
    a2a: true,
    chat: true,
    nameIsIdentity: true,
    profiles: NO_PROFILES,
  },
  photo: {
    title: 'Instagram',
    receiver: 'an Instagram name (1 to 30 letters, digits, underscores or single inner dots)',
    example: 'alice.smith',
    aliases: ['instagram', 'ig'],
    http: 'bot',
    mcp: false,
    a2a: true,
    chat: true,
    nameIsIdentity: false,
    profiles: {
      hosts: ['instagram.com'],
      under: '',
      notNames: ['about', 'accounts', 'direct', 'explore', 'p', 'reel', 'reels', 'stories', 'tv'],
    },
  },
  discord: {
    title: 'Discord',
    receiver: 'a numeric Discord user id',
    example: '175928847299117063',
    aliases: [],
    http: 'bot',
    mcp: false,
    a2a: false,
    chat: true,
    nameIsIdentity: false,
    profiles: { hosts: ['discord.com'], under: 'users', notNames: [] },
  },
  telegram: {
    title: 'Telegram',
    receiver: 'a numeric Telegram user id or a Telegram name (4 to 32 letters, digits or underscores, a letter first)',
    example: '123456789',
    aliases: ['tg'],
    http: 'bot',
    mcp: false,
    a2a: false,
    chat: true,
    nameIsIdentity: false,
    profiles: {
      hosts: ['t.me', 'telegram.me'],
      under: '',
      // prettier-ignore
      notNames: [
        'addemoji', 'addlist', 'addstickers', 'addtheme', 'boost', 'confirmphone', 'contact', 'invoice', 'joinchat', 'login',
        'proxy', 'setlanguage', 'share', 'socks',
      ],
    },
  },
} as const satisfies Record<string, PlatformRow>;

export type Platform = keyof typeof PLATFORMS;

/** In the order of the table. */
export const PLATFORM_NAMES = Object.keys(PLATFORMS) as readonly Platform[];

/** The row without its literal types, for code that treats all platforms alike. */
export function platformRow(platform: Platform): PlatformRow {
  return PLATFORMS[platform];
}

// A map, not an object: "constructor" is no platform. toLowerCase would fold the Kelvin sign into "k", hence ASCII only.
const byName = new Map<string, Platform>(
  PLATFORM_NAMES.flatMap((name) => [name, ...PLATFORMS[name].aliases].map((word) => [word, name] as const)),
);

/** Finds a platform by its name or an alias, in any case. Null for everything else, surrounding space included. */
export function findPlatform(text: string): Platform | null {
  if (!/^[A-Za-z]+$/.test(text)) return null;
  return byName.get(text.toLowerCase()) ?? null;
}

/** Platforms that exist over HTTP only for our bot are unknown words to everybody else. */
export function findHttpPlatform(text: string, isBot: boolean): Platform | null {
  const platform = findPlatform(text);
  return platform !== null && httpPlatforms(isBot).includes(platform) ? platform : null;
}

export function httpPlatforms(isBot: boolean): readonly Platform[] {
  return isBot ? PLATFORM_NAMES : PLATFORM_NAMES.filter((name) => PLATFORMS[name].http === 'public');
}
