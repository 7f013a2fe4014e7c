/** The wording of an OAuth stand-in's answers: in the provider's own form, as its clients meet it. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Reply } from './server.ts';

export type OauthPerson = { id: string; username: string; createdAt?: string };

/** RFC 6749, 5.2. */
export type TokenRefusal = 'invalid_request' | 'invalid_client' | 'invalid_grant' | 'unsupported_grant_type';

export type OauthDialect = {
  title: string;
  paths: { authorize: string; token: string; me: string };
  /** Where a token is given back; null: nowhere. */
  revoke: { method: 'POST' | 'DELETE'; pathOf: (clientId: string) => string; reply: Reply } | null;
  /** Behind the path of `me`, as the provider wants it asked. */
  meQuery: string;
  /** Where a client's id and secret have to stand. */
  clientAuthentication: 'basic' | 'post';
  scope: string | null;
  toToken: (token: string, person: OauthPerson) => object;
  toRefusal: (refusal: TokenRefusal) => Reply;
  toMe: (person: OauthPerson, query: URLSearchParams) => Reply;
  /** The token that a request wants to give back. */
  readRevoked: (body: string) => string | null;
};

/** The default age of accounts. */
export const SINCE = '2013-12-14T04:35:55.000Z';

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
