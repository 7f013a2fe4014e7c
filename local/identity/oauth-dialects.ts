/** How the stand-in for each OAuth provider words its answers: in the provider's own form, as its clients meet it. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Reply } from './server.ts';

export type OauthStandInPlatform = 'x' | 'code' | 'photo';

export type OauthPerson = { id: string; username: string; createdAt?: string };

/** RFC 6749, 5.2. */
export type TokenRefusal = 'invalid_request' | 'invalid_client' | 'invalid_grant' | 'unsupported_grant_type';

export type OauthDialect = {
  title: string;
  paths: { authorize: string; token: string; me: string; revoke: { method: 'POST' | 'DELETE'; path: string } | null };
  /** Where a client's id and secret have to stand. */
  clientAuthentication: 'basic' | 'post';
  scope: string | null;
  toToken: (token: string, person: OauthPerson) => object;
  toRefusal: (refusal: TokenRefusal) => Reply;
  toMe: (person: OauthPerson, query: URLSearchParams) => Reply;
  /** The token that a request wants to give back. */
  readRevoked: (body: string) => string | null;
};

const SINCE = '2013-12-14T04:35:55.000Z';

const x: OauthDialect = {
  title: 'X',
  paths: {
    authorize: '/i/oauth2/authorize',
    token: '/2/oauth2/token',
    me: '/2/users/me',
    revoke: { method: 'POST', path: '/2/oauth2/revoke' },
  },
  clientAuthentication: 'basic',
  scope: 'users.read tweet.read',
  toToken: (token) => ({ token_type: 'bearer', expires_in: 7200, access_token: token, scope: 'users.read tweet.read' }),
  toRefusal: (error) => ({ status: error === 'invalid_client' ? 401 : 400, body: { error, error_description: error } }),
  toMe: ({ id, username, createdAt = SINCE }, query) => {
    const age = (query.get('user.fields') ?? '').split(',').includes('created_at') ? { created_at: createdAt } : {};
    return { status: 200, body: { data: { id, name: username, username, ...age } } };
  },
  readRevoked: (body) => new URLSearchParams(body).get('token'),
};

const GITHUB_REFUSALS: Readonly<Record<TokenRefusal, string>> = {
  invalid_request: 'bad_verification_code',
  invalid_client: 'incorrect_client_credentials',
  invalid_grant: 'bad_verification_code',
  unsupported_grant_type: 'unsupported_grant_type',
};

const code: OauthDialect = {
  title: 'GitHub',
  paths: {
    authorize: '/login/oauth/authorize',
    token: '/login/oauth/access_token',
    me: '/user',
    revoke: { method: 'DELETE', path: '/applications/' },
  },
  clientAuthentication: 'post',
  scope: null,
  toToken: (token) => ({ access_token: token, token_type: 'bearer', scope: '' }),
  // GitHub answers its refusals with 200.
  toRefusal: (refusal) => ({
    status: 200,
    body: { error: GITHUB_REFUSALS[refusal], error_uri: 'https://docs.github.com' },
  }),
  toMe: ({ id, username, createdAt = SINCE }) => ({
    status: 200,
    body: {
      login: username,
      id: Number(id),
      node_id: `U_${id}`,
      type: 'User',
      site_admin: false,
      created_at: createdAt,
    },
  }),
  readRevoked: (body) => {
    const parsed: unknown = JSON.parse(body);
    const isObject = typeof parsed === 'object' && parsed !== null && 'access_token' in parsed;
    return isObject && typeof parsed.access_token === 'string' ? parsed.access_token : null;
  },
};

const photo: OauthDialect = {
  title: 'Instagram',
  paths: { authorize: '/oauth/authorize', token: '/oauth/access_token', me: '/v25.0/me', revoke: null },
  clientAuthentication: 'post',
  scope: 'instagram_business_basic',
  toToken: (token, { id }) => ({
    data: [{ access_token: token, user_id: id, permissions: 'instagram_business_basic' }],
  }),
  toRefusal: () => ({
    status: 400,
    body: { error_type: 'OAuthException', code: 400, error_message: 'Matching code was not found or was already used' },
  }),
  toMe: ({ id, username }, query) => {
    const fields = (query.get('fields') ?? '').split(',');
    if (!fields.includes('user_id')) return { status: 200, body: { id: `9${id}`.slice(0, 17) } };
    return { status: 200, body: { data: [{ user_id: id, ...(fields.includes('username') ? { username } : {}) }] } };
  },
  readRevoked: () => null,
};

export const OAUTH_DIALECTS = { x, code, photo } as const satisfies Record<OauthStandInPlatform, OauthDialect>;

/** The id and secret of a client, where this provider wants them; null where they are elsewhere. */
export function readClient(
  dialect: OauthDialect,
  headers: IncomingHttpHeaders,
  form: URLSearchParams,
): { id: string; secret: string } | null {
  if (dialect.clientAuthentication === 'post') {
    return { id: form.get('client_id') ?? '', secret: form.get('client_secret') ?? '' };
  }
  return readBasic(headers);
}

export function readBasic({ authorization = '' }: IncomingHttpHeaders): { id: string; secret: string } | null {
  const [, encoded = ''] = /^Basic ([A-Za-z0-9+/=]+)$/.exec(authorization) ?? [];
  const [, id, secret] = /^([^:]*):(.*)$/.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  return id === undefined || secret === undefined ? null : { id, secret };
}
