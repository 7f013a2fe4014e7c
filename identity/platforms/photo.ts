import { z } from 'zod';
import { createLookup, fillName, type LookupTools } from '../lookup.ts';
import type { Resolver } from '../port.ts';
import type { OauthProvider } from './oauth-provider.ts';
import type { OauthPlatformIdentity } from './platform-identity.ts';

/** `{name}` is ours; the other braces, encoded, are the Graph API's. */
const QUERY = 'fields=business_discovery.username({name})%7Bid%2Cusername%7D';

const foundSchema = z.object({
  business_discovery: z.object({ id: z.string().regex(/^[1-9][0-9]{0,19}$/), username: z.string() }),
});
const errorSchema = z.object({ error: z.object({ code: z.int(), error_subcode: z.int().optional() }) });

/** The Graph API's answer for a name that it does not show us. */
const NOT_DISCOVERED = { code: 110, subcode: 2_207_013 };

/**
 * Instagram's "business discovery", asked as our own professional account. `lookupUrl` is that account's node, such as
 * `https://graph.facebook.com/v25.0/17841400000000000`, and `appToken` a token for it. Personal and age-gated accounts
 * look like names that do not exist, so they are not found. They could not collect either, because Instagram lets only
 * professional accounts sign in.
 */
export function createPhotoResolver(settings: { lookupUrl: string; appToken: string }, tools: LookupTools): Resolver {
  const headers = { authorization: `Bearer ${settings.appToken}` };
  const template = toTemplate(settings.lookupUrl);
  return createLookup(
    {
      toRequest: (name) => ({ url: fillName(template, name), headers }),
      read: ({ status, json }, name) => {
        const found = foundSchema.safeParse(json);
        if (status === 200 && found.success) {
          const { id, username } = found.data.business_discovery;
          return username.toLowerCase() === name ? { kind: 'found', stableId: id } : null;
        }
        const refused = errorSchema.safeParse(json);
        if (status !== 400 || !refused.success) return null;
        const { code, error_subcode: subcode } = refused.data.error;
        return code === NOT_DISCOVERED.code && subcode === NOT_DISCOVERED.subcode ? { kind: 'not-found' } : null;
      },
    },
    tools,
  );
}

function toTemplate(lookupUrl: string): string {
  if (lookupUrl.includes('{name}')) return lookupUrl;
  return `${lookupUrl}${lookupUrl.includes('?') ? '&' : '?'}${QUERY}`;
}

const photoUserSchema = z.object({ user_id: z.string().regex(/^[1-9][0-9]{0,19}$/), username: z.string() });
/** Documented within `data`, seen without. */
const photoSchema = z.union([z.object({ data: z.tuple([photoUserSchema]) }), photoUserSchema]);
const photoTokenSchema = z.object({ access_token: z.string() });
const photoTokensSchema = z.union([z.object({ data: z.tuple([photoTokenSchema]) }), photoTokenSchema]);
const photoRefusalSchema = z.object({ error_type: z.literal('OAuthException') });

/**
 * Instagram's business login. `user_id` is the id of "business discovery"; plain `id` differs for each application. Its
 * tokens have no type, and a refused code looks like a refused client.
 */
const provider: OauthProvider = {
  authUrl: 'https://www.instagram.com/oauth/authorize',
  tokenUrl: 'https://api.instagram.com/oauth/access_token',
  meUrl: 'https://graph.instagram.com/v25.0/me?fields=user_id,username',
  meHeaders: {},
  readAccount: (json) => {
    const found = photoSchema.safeParse(json);
    if (!found.success) return null;
    const { user_id: stableId, username } = 'data' in found.data ? found.data.data[0] : found.data;
    return { stableId, username };
  },
  scope: 'instagram_business_basic',
  authorizationParameters: { force_reauth: 'true' },
  clientAuthentication: 'post',
  toStandardAnswer: (status, json) => {
    if (status === 400 && photoRefusalSchema.safeParse(json).success) {
      return { status, json: { error: 'invalid_grant' } };
    }
    const tokens = photoTokensSchema.safeParse(json);
    if (status !== 200 || !tokens.success) return { status, json };
    const { access_token: token } = 'data' in tokens.data ? tokens.data.data[0] : tokens.data;
    return { status, json: { access_token: token, token_type: 'bearer' } };
  },
  toRevocation: () => null,
};

export const photo: OauthPlatformIdentity = {
  needs: ['INSTAGRAM_APP_TOKEN', 'INSTAGRAM_LOOKUP_URL'],
  resolving: ({ photo: { appToken, lookupUrl } }) =>
    appToken === undefined || lookupUrl === undefined
      ? null
      : (tools) => createPhotoResolver({ lookupUrl, appToken }, tools),
  provider,
};
