import { SINCE, type OauthDialect } from '../oauth-dialect.ts';

export const x: OauthDialect = {
  title: 'X',
  paths: {
    authorize: '/i/oauth2/authorize',
    token: '/2/oauth2/token',
    me: '/2/users/me',
  },
  revoke: { method: 'POST', pathOf: () => '/2/oauth2/revoke', reply: { status: 200, body: { revoked: true } } },
  meQuery: '?user.fields=created_at',
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
