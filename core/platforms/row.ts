import type { ParsedName } from './parsed-name.ts';

/** How the owner of a name proves that it is theirs (contract, section 8). */
export const CLAIM_METHODS = ['oauth', 'siwf', 'email', 'domain', 'chat'] as const;
export type ClaimMethod = (typeof CLAIM_METHODS)[number];

/**
 * What a platform is, as far as nobody needs to be asked. Routes, tools, skills, the chat grammar, claim methods and the
 * names of the configuration are derived from it. A way in which one platform differs from another is a field here.
 */
export type PlatformRow = {
  /** The platform as people call it. */
  title: string;
  /** What a receiver is here, as words that complete "wanted: …". */
  receiver: string;
  /** A receiver that passes; error texts show it. */
  example: string;
  /** Work wherever the name does; answers carry the canonical name. */
  aliases: readonly string[];
  /** What people write before a name in a chat: `github:octocat`. Null: the name alone says where it belongs. */
  prefix: string | null;
  /** `bot`: the route exists only for callers with the bot's service token. */
  http: 'public' | 'bot';
  mcp: boolean;
  a2a: boolean;
  chat: boolean;
  /** True where the name itself is the identity; elsewhere a stable user id stands behind it. */
  nameIsIdentity: boolean;
  /** Whether this name is the stable user id itself. Absent: no name is. */
  isUserId?: (key: string) => boolean;
  /** Reads a receiver, by syntax alone. Gets text without hidden characters, normalised, and never empty. */
  parse: (text: string) => ParsedName;
  /** Whether a word without a prefix can only be a name of this platform. Absent: no word says so by itself. */
  recognises?: (word: string) => boolean;
  /** The receiver in what was written for another platform but is plainly one of this. Absent: nothing is. */
  findAddress?: (text: string) => string | null;
  /** What everyone but the payer sees of a name. Absent: names are public. */
  mask?: (key: string) => string;
  /**
   * Where people see this name in a browser, so that a pasted link can be pointed to the right platform: its hosts
   * (without `www.`), the path segment before the name (mostly none), and the segments that are pages, not names.
   */
  profiles: { hosts: readonly string[]; under: string; notNames: readonly string[] };
  /** The page of a name where `profiles` does not lead to it; null: it has none. */
  profileUrl?: (key: string) => string | null;
  /** What a page calls a name of this platform. Absent: "name on" and its title. */
  nameIsCalled?: string;
  /** How a page names its people: `@alice on X`, `octocat on GitHub`, or as a chat does. */
  peopleAreCalled: '@name on title' | 'name on title' | 'as in a chat';
  /** With OAuth, `variables` is what the platform's names in the configuration begin with: `X` of `X_CLIENT_ID`. */
  proof: { method: 'oauth'; variables: string } | { method: Exclude<ClaimMethod, 'oauth'> };
  /** Who tells people that money waits for them. We write to strangers nowhere but by mail (contract, section 8). */
  toldBy: 'mail' | 'bot' | 'payer';
  /** True where names change hands together with all that is sent to them: an address that is not used lapses. */
  addressLapses: boolean;
  /** False where the name belongs to the next person who pays for it: no wallet is kept here for its owner. */
  keepsWallets: boolean;
};

export const NO_PROFILES = { hosts: [], under: '', notNames: [] } as const satisfies PlatformRow['profiles'];
