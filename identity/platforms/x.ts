import { z } from 'zod';
import { createLookup, fillName, type LookupTools } from '../lookup.ts';
import type { Resolver } from '../port.ts';
import { answersAsStandard, toBasic, toSince, type OauthProvider } from './oauth-provider.ts';
import type { OauthPlatformIdentity } from './platform-identity.ts';

const LOOKUP_URL = 'https://api.x.com/2/users/by/username/{name}';

const foundSchema = z.object({
  data: z.object({
    id: z.string().regex(/^[1-9][0-9]{0,19}$/),
    username: z.string(),
    created_at: z.iso.datetime().optional().catch(undefined),
  }),
});
const absentSchema = z.object({ errors: z.array(z.object({ type: z.string() })).min(1) });

/**
 * X's API v2. Unknown and suspended accounts both answer 200 with an error of type `resource-not-found`. Both are not
 * found here, because a suspended account cannot sign in to collect. An answer about another name is no answer.
 */
export function createXResolver(settings: { lookupUrl?: string; appToken: string }, tools: LookupTools): Resolver {
  const { lookupUrl = LOOKUP_URL, appToken } = settings;
  return createLookup(
    {
      toRequest: (name) => ({ url: askedUrl(lookupUrl, name), headers: { authorization: `Bearer ${appToken}` } }),
      read: ({ status, json }, name) => {
        if (status !== 200) return null;
        const found = foundSchema.safeParse(json);
        if (found.success) {
          const { id, username, created_at: createdAt } = found.data.data;
          return username.toLowerCase() === name ? { kind: 'found', stableId: id, ...toSince(createdAt) } : null;
        }
        const absent = absentSchema.safeParse(json);
        const isUnknown = absent.success && absent.data.errors.some(({ type }) => type.endsWith('/resource-not-found'));
        return isUnknown ? { kind: 'not-found' } : null;
      },
    },
    tools,
  );
}

/** X tells the age of an account only on request. */
function askedUrl(lookupUrl: string, name: string): string {
  const url = new URL(fillName(lookupUrl, name));
  url.searchParams.set('user.fields', 'created_at');
  return url.href;
}

/** X's v2: `/2/users/me` needs both `users.read` and `tweet.read`. */
const provider: OauthProvider = {
  authUrl: 'https://x.com/i/oauth2/authorize',
  tokenUrl: 'https://api.x.com/2/oauth2/token',
  meUrl: 'https://api.x.com/2/users/me?user.fields=created_at',
  meHeaders: {},
  readAccount: (json) => {
    const found = foundSchema.safeParse(json);
    if (!found.success) return null;
    const { id, username, created_at: createdAt } = found.data.data;
    return { stableId: id, username, ...toSince(createdAt) };
  },
  scope: 'users.read tweet.read',
  authorizationParameters: {},
  clientAuthentication: 'basic',
  toStandardAnswer: answersAsStandard,
  toRevocation: (client, token) => ({
    method: 'POST',
    url: new URL('revoke', client.tokenUrl).href,
    headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: toBasic(client) },
    body: new URLSearchParams({ token, token_type_hint: 'access_token' }).toString(),
  }),
};

export const x: OauthPlatformIdentity = {
  needs: ['X_APP_TOKEN'],
  resolving: ({ x: { appToken, lookupUrl } }) =>
    appToken === undefined ? null : (tools) => createXResolver({ appToken, lookupUrl }, tools),
  provider,
};
