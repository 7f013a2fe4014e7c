import { type OauthDialect } from '../oauth-dialect.ts';

export const photo: OauthDialect = {
  title: 'Instagram',
  paths: { authorize: '/oauth/authorize', token: '/oauth/access_token', me: '/v25.0/me' },
  revoke: null,
  meQuery: '?fields=user_id,username',
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
