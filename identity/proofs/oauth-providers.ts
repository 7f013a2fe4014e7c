import { z } from 'zod';
import type { OauthPlatform } from '../../core/platforms/platforms.ts';
import type { LookupRequest } from '../lookup.ts';

export type OauthAccount = { stableId: string; username: string; sinceMs?: number };

export type OauthClient = { clientId: string; clientSecret: string; tokenUrl: string; meUrl: string };

/** What differs between providers. */
export type OauthProvider = {
  /** Who signed in. The default; an installation may name another. */
  meUrl: string;
  meHeaders: Readonly<Record<string, string>>;
  /** Reads that one user; null: none of the shapes the provider is known for. */
  readAccount: (json: unknown) => OauthAccount | null;
  /** The least that lets us ask who signed in. */
  scope: string;
  /** Asks for the choice of an account, where the provider knows how: people have several. */
  authorizationParameters: Readonly<Record<string, string>>;
  clientAuthentication: 'basic' | 'post';
  /** Turns the provider's way of answering at the token endpoint into that of RFC 6749. */
  toStandardAnswer: (status: number, json: unknown) => { status: number; json: unknown };
  /** Null: the provider has no way to give a token back; it ends by itself. */
  toRevocation: (client: OauthClient, token: string) => Revocation | null;
};

export type Revocation = LookupRequest & { method: 'POST' | 'DELETE'; body: string };

const asIs = (status: number, json: unknown) => ({ status, json });

const xSchema = z.object({
  data: z.object({
    id: z.string().regex(/^[1-9][0-9]{0,19}$/),
    username: z.string(),
    created_at: z.iso.datetime().optional().catch(undefined),
  }),
});

/** X's v2: `tweet.read` stands beside `users.read` because `/2/users/me` wants both. */
const x: OauthProvider = {
  meUrl: 'https://api.x.com/2/users/me?user.fields=created_at',
  meHeaders: {},
  readAccount: (json) => {
    const found = xSchema.safeParse(json);
    if (!found.success) return null;
    const { id, username, created_at: createdAt } = found.data.data;
    return { stableId: id, username, ...toSince(createdAt) };
  },
  scope: 'users.read tweet.read',
  authorizationParameters: {},
  clientAuthentication: 'basic',
  toStandardAnswer: asIs,
  toRevocation: (client, token) => ({
    method: 'POST',
    url: new URL('revoke', client.tokenUrl).href,
    headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: toBasic(client) },
    body: new URLSearchParams({ token, token_type_hint: 'access_token' }).toString(),
  }),
};

const codeSchema = z.object({
  id: z.int().positive(),
  login: z.string(),
  type: z.literal('User'),
  created_at: z.iso.datetime().optional().catch(undefined),
});
const refusedWith200Schema = z.object({ error: z.string() });

/** GitHub: no scope at all still tells who signed in. It answers refusals of a code with status 200. */
const code: OauthProvider = {
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
    headers: { 'content-type': 'application/json', authorization: toBasic(client), ...code.meHeaders },
    body: JSON.stringify({ access_token: token }),
  }),
};

const photoUserSchema = z.object({ user_id: z.string().regex(/^[1-9][0-9]{0,19}$/), username: z.string() });
/** Documented within `data`, seen without. */
const photoSchema = z.union([z.object({ data: z.tuple([photoUserSchema]) }), photoUserSchema]);
const photoTokenSchema = z.object({ access_token: z.string() });
const photoTokensSchema = z.union([z.object({ data: z.tuple([photoTokenSchema]) }), photoTokenSchema]);
const photoRefusalSchema = z.object({ error_type: z.literal('OAuthException') });

/**
 * Instagram's business login. `user_id` is the id that "business discovery" tells of a name; plain `id` would be
 * another for each application. Its tokens come without a type, and it tells no refused code from a refused client.
 */
const photo: OauthProvider = {
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

export const OAUTH_PROVIDERS = { x, code, photo } as const satisfies Record<OauthPlatform, OauthProvider>;

function toSince(createdAt: string | undefined): { sinceMs?: number } {
  return createdAt === undefined ? {} : { sinceMs: Date.parse(createdAt) };
}

/**
 * Not percent-encoded, as RFC 6749 would have it: X documents the plain form, and where neither "%" nor "+" is in the
 * secret a server that decodes reads the same.
 */
export function toBasic({ clientId, clientSecret }: Pick<OauthClient, 'clientId' | 'clientSecret'>): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
}
