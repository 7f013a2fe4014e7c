import { z } from 'zod';
import { createLookup, fillName, type LookupTools } from './lookup.ts';
import type { Resolver } from './port.ts';

const LOOKUP_URL = 'https://api.github.com/users/{name}';
const API_VERSION = '2022-11-28';

const accountSchema = z.object({
  id: z.int().positive(),
  login: z.string(),
  type: z.string(),
  created_at: z.iso.datetime().optional().catch(undefined),
});

/**
 * GitHub's `/users/{login}`. A renamed login answers with its new one (after a redirect), and may be taken by somebody
 * else tomorrow: whoever wrote the old one must write the new one. Organisations and bots are not found, because only
 * a person can sign in to collect.
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
        const since = createdAt === undefined ? {} : { sinceMs: Date.parse(createdAt) };
        return isPerson ? { kind: 'found', stableId: String(id), ...since } : { kind: 'not-found' };
      },
    },
    tools,
  );
}

/** GitHub counts an OAuth application's own id and secret like a token: 5,000 questions an hour instead of 60. */
function toAuthorization(settings: {
  appToken?: string;
  clientId?: string;
  clientSecret?: string;
}): Record<string, string> {
  const { appToken, clientId, clientSecret } = settings;
  if (appToken !== undefined) return { authorization: `Bearer ${appToken}` };
  if (clientId === undefined || clientSecret === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` };
}
