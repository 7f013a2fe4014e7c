/** An invented platform: everything that has to be written for one, by the path it is written at. */

/** Its row, who owns its names, and what stands in for its provider. */
export const NEW_FILES: Record<string, string> = {
  'core/platforms/bluesky.ts': `
import { parsePlainName } from './parsed-name.ts';
import type { PlatformRow } from './row.ts';

export const bluesky = {
  title: 'Bluesky',
  receiver: 'a Bluesky handle (a domain name)',
  example: 'alice.bsky.social',
  aliases: ['bsky'],
  prefix: 'bluesky',
  http: 'public',
  mcp: true,
  a2a: true,
  chat: true,
  nameIsIdentity: false,
  parse: (text) => parsePlainName(text, /^[A-Za-z0-9.-]$/, /^(?:[a-z0-9-]{1,63}\\.)+[a-z]{2,63}$/),
  profiles: { hosts: ['bsky.app'], under: 'profile', notNames: [] },
  peopleAreCalled: '@name on title',
  proof: { method: 'oauth', variables: 'BLUESKY' },
  toldBy: 'payer',
  addressLapses: false,
  keepsWallets: true,
} as const satisfies PlatformRow;
`,
  'identity/platforms/bluesky.ts': `
import { z } from 'zod';
import { createLookup, fillName } from '../lookup.ts';
import { answersAsStandard } from './oauth-provider.ts';
import type { OauthPlatformIdentity } from './platform-identity.ts';

const accountSchema = z.object({ did: z.string(), handle: z.string() });

export const bluesky: OauthPlatformIdentity = {
  resolving: ({ bluesky: { lookupUrl = 'https://public.api.bsky.app/{name}' } }) =>
    (tools) => {
      const toRequest = (name: string) => ({ url: fillName(lookupUrl, name), headers: {} });
      const read = ({ json }: { json: unknown }) => {
        const account = accountSchema.safeParse(json);
        return account.success ? { kind: 'found' as const, stableId: account.data.did } : null;
      };
      return createLookup({ toRequest, read }, tools);
    },
  provider: {
    authUrl: 'https://bsky.social/oauth/authorize',
    tokenUrl: 'https://bsky.social/oauth/token',
    meUrl: 'https://bsky.social/xrpc/com.atproto.server.getSession',
    meHeaders: {},
    readAccount: (json) => {
      const account = accountSchema.safeParse(json);
      return account.success ? { stableId: account.data.did, username: account.data.handle } : null;
    },
    scope: 'atproto',
    authorizationParameters: {},
    clientAuthentication: 'post',
    toStandardAnswer: answersAsStandard,
    toRevocation: () => null,
  },
};
`,
  'local/identity/platforms/bluesky.ts': `
import type { OauthDialect } from '../oauth-dialect.ts';

export const bluesky: OauthDialect = {
  title: 'Bluesky',
  paths: { authorize: '/oauth/authorize', token: '/oauth/token', me: '/xrpc/com.atproto.server.getSession' },
  revoke: null,
  meQuery: '',
  clientAuthentication: 'post',
  scope: 'atproto',
  toToken: (token) => ({ access_token: token, token_type: 'bearer', scope: 'atproto' }),
  toRefusal: (error) => ({ status: 400, body: { error } }),
  toMe: ({ id, username }) => ({ status: 200, body: { did: id, handle: username } }),
  readRevoked: () => null,
};
`,
};

type Entry = { after: string; add: string };

const IMPORT = { after: '', add: "import { bluesky } from './bluesky.ts';\n" } as const satisfies Entry;

/** The entries in what is there: each stands right after the words that it names. */
export const NEW_ENTRIES: Record<string, readonly Entry[]> = {
  'core/platforms/platforms.ts': [IMPORT, { after: 'export const PLATFORMS = {\n  x,\n', add: '  bluesky,\n' }],
  'identity/platforms/platforms.ts': [IMPORT, { after: 'const PLATFORM_IDENTITIES = {\n', add: '  bluesky,\n' }],
  'local/identity/platforms/stand-ins.ts': [IMPORT, { after: 'const OAUTH_DIALECTS = {', add: ' bluesky,' }],
  '.env.example': [
    {
      after: '#INSTAGRAM_LOOKUP_URL=\n',
      add: ['CLIENT_ID', 'CLIENT_SECRET', 'APP_TOKEN', 'AUTH_URL', 'TOKEN_URL', 'ME_URL', 'LOOKUP_URL']
        .map((name) => `#BLUESKY_${name}=\n`)
        .join(''),
    },
  ],
};
