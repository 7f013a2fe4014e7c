import type { ParsedName } from './parsed-name.ts';

/** How the owner of a name proves that it is theirs. */
export const CLAIM_METHODS = ['oauth', 'siwf', 'email', 'domain', 'chat'] as const;
export type ClaimMethod = (typeof CLAIM_METHODS)[number];

/**
 * The static facts of a platform. Routes, tools, skills, the chat grammar, claim methods and the names of the
 * configuration are derived from them. Each difference between platforms is a field here.
 */
export type PlatformRow = {
  /** The platform as people call it. */
  title: string;
  /** Describes a receiver; completes "wanted: …". */
  receiver: string;
  /** A valid receiver, shown in error texts. */
  example: string;
  /** Accepted wherever the name is; answers have the canonical name. */
  aliases: readonly string[];
  /** The prefix in chats: `github:octocat`. Null: the name alone shows its platform. */
  prefix: string | null;
  /** `bot`: only callers with the bot's service token have the route. */
  http: 'public' | 'bot';
  mcp: boolean;
  a2a: boolean;
  chat: boolean;
  /** True where the name is the identity; elsewhere a stable user id is behind it. */
  nameIsIdentity: boolean;
  /** Whether this name is the stable user id itself. Absent: no name is. */
  isUserId?: (key: string) => boolean;
  /** Since when an account exists, where its user id says so. Absent: no id does. */
  sinceMsOf?: (stableId: string) => number;
  /** Reads a receiver by syntax alone. The text is normalised, not empty, and without hidden characters. */
  parse: (text: string) => ParsedName;
  /** Whether a word without a prefix can only be a name of this platform. Absent: never. */
  recognises?: (word: string) => boolean;
  /** The receiver in a text for another platform that plainly belongs to this one. Absent: there is none. */
  findAddress?: (text: string) => string | null;
  /** The part of a name that others than the payer see. Absent: names are public. */
  mask?: (key: string) => string;
  /**
   * Where a browser shows a name, so that a pasted link finds its platform: the hosts (without `www.`), the path
   * segment before the name (mostly none), and the segments that are pages, not names.
   */
  profiles: {
    hosts: readonly string[];
    under: string;
    notNames: readonly string[];
    /** Whose the pages below a name are: a post's author, or only the owner of the place. Absent: nobody can tell. */
    deeper?: 'author' | 'owner';
  };
  /** The page of a name that `profiles` does not lead to; null: it has none. */
  profileUrl?: (key: string) => string | null;
  /** A page's word for a name of this platform. Absent: "name on" and its title. */
  nameIsCalled?: string;
  /** How a page names its people: `@alice on X`, `octocat on GitHub`, or as a chat does. */
  peopleAreCalled: '@name on title' | 'name on title' | 'as in a chat';
  /** With OAuth, `variables` begins the platform's names in the configuration: `X` of `X_CLIENT_ID`. */
  proof: { method: 'oauth'; variables: string } | { method: Exclude<ClaimMethod, 'oauth'> };
  /** Who tells recipients that money waits. We write to strangers by mail only. */
  toldBy: 'mail' | 'bot' | 'payer';
  /** True where a name can change hands with all that is sent to it: then an unused payout address lapses. */
  addressLapses: boolean;
  /** False where a name passes to the next person who pays for it: then its owner gets no wallet here. */
  keepsWallets: boolean;
};

export const NO_PROFILES = { hosts: [], under: '', notNames: [] } as const satisfies PlatformRow['profiles'];
