import { SINCE, type OauthDialect, type TokenRefusal } from '../oauth-dialect.ts';

const GITHUB_REFUSALS: Readonly<Record<TokenRefusal, string>> = {
  invalid_request: 'bad_verification_code',
  invalid_client: 'incorrect_client_credentials',
  invalid_grant: 'bad_verification_code',
  unsupported_grant_type: 'unsupported_grant_type',
};

export const code: OauthDialect = {
  title: 'GitHub',
  paths: {
    authorize: '/login/oauth/authorize',
    token: '/login/oauth/access_token',
    me: '/user',
  },
  revoke: { method: 'DELETE', pathOf: (clientId) => `/applications/${clientId}/token`, reply: { status: 204 } },
  meQuery: '',
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
