import { z } from 'zod';
import { createLookup, fillName, type LookupTools } from '../lookup.ts';
import type { Resolver } from '../port.ts';
import { toBasic, toSince, type OauthProvider } from './oauth-provider.ts';
import type { OauthPlatformIdentity } from './platform-identity.ts';

const LOOKUP_URL = 'https://api.github.com/users/{name}';
const API_VERSION = '2022-11-28';

const accountSchema = z.object({
  id: z.int().positive(),
  login: z.string(),
  type: z.string(),
  created_at: z.iso.datetime().optional().catch(undefined),
});

/**
 * GitHub's `/users/{login}`. A renamed login answers with its new one (after a redirect) and is not found, because
 * another person may take it tomorrow: the caller must write the new one. Organisations and bots are not found, because
 * only a person can sign in to collect.
 */
export function createCodeResolver(
  settings: { lookupUrl?: string; appToken?: string; clientId?: string; clientSecret?: string },
  tools: LookupTools,
): Resolver {
  const headers = {
    accept: 'application/vnd.github+json',
    'x-github-api-version': API_VERSION,
    ...toAuthorization(settings),
  };
  return createLookup(
    {
      toRequest: (name) => ({ url: fillName(settings.lookupUrl ?? LOOKUP_URL, name), headers }),
      read: ({ status, json }, name) => {
        const account = accountSchema.safeParse(json);
        if (status !== 200 || !account.success) return null;
        const { id, login, type, created_at: createdAt } = account.data;
        const isPerson = type === 'User' && login.toLowerCase() === name;
        return isPerson ? { kind: 'found', stableId: String(id), ...toSince(createdAt) } : { kind: 'not-found' };
      },
    },
    tools,
  );
}

/** GitHub treats an OAuth application's id and secret like a token: 5,000 requests an hour instead of 60. */
function toAuthorization(settings: {
  appToken?: string;
  clientId?: string;
  clientSecret?: string;
}): Record<string, string> {
  const { appToken, clientId, clientSecret } = settings;
  if (appToken !== undefined) return { authorization: `Bearer ${appToken}` };
  if (clientId === undefined || clientSecret === undefined) return {};
  return { authorization: toBasic({ clientId, clientSecret }) };
}

const codeSchema = z.object({
  id: z.int().positive(),
  login: z.string(),
  type: z.literal('User'),
  created_at: z.iso.datetime().optional().catch(undefined),
});
const refusedWith200Schema = z.object({ error: z.string() });

/** GitHub tells who signed in without any scope. It refuses a code with status 200. */
const provider: OauthProvider = {
  authUrl: 'https://github.com/login/oauth/authorize',
  tokenUrl: 'https://github.com/login/oauth/access_token',
  meUrl: 'https://api.github.com/user',
  meHeaders: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
  readAccount: (json) => {
    const found = codeSchema.safeParse(json);
    if (!found.success) return null;
    const { id, login, created_at: createdAt } = found.data;
    return { stableId: String(id), username: login, ...toSince(createdAt) };
  },
  scope: '',
  authorizationParameters: { prompt: 'select_account', allow_signup: 'false' },
  clientAuthentication: 'post',
  toStandardAnswer: (status, json) => {
    const refused = refusedWith200Schema.safeParse(json);
    return status === 200 && refused.success ? { status: 400, json } : { status, json };
  },
  toRevocation: (client, token) => ({
    method: 'DELETE',
    url: new URL(`applications/${encodeURIComponent(client.clientId)}/token`, client.meUrl).href,
    headers: { 'content-type': 'application/json', authorization: toBasic(client), ...provider.meHeaders },
    body: JSON.stringify({ access_token: token }),
  }),
};

export const code: OauthPlatformIdentity = {
  resolving:
    ({ code: settings }) =>
    (tools) =>
      createCodeResolver(settings, tools),
  provider,
};
