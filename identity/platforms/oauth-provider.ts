import type { LookupRequest } from '../lookup.ts';

export type OauthAccount = { stableId: string; username: string; sinceMs?: number };

export type OauthClient = { clientId: string; clientSecret: string; tokenUrl: string; meUrl: string };

/** What differs between providers. */
export type OauthProvider = {
  /** Where people sign in, and where the code is traded. An installation may configure other URLs, both together. */
  authUrl: string;
  tokenUrl: string;
  /** Tells who signed in. An installation may configure another URL. */
  meUrl: string;
  meHeaders: Readonly<Record<string, string>>;
  /** Reads the user who signed in; null: an unknown form of answer. */
  readAccount: (json: unknown) => OauthAccount | null;
  /** The smallest scope that tells who signed in. */
  scope: string;
  /** Makes the provider offer a choice of account, where it can: people have several. */
  authorizationParameters: Readonly<Record<string, string>>;
  clientAuthentication: 'basic' | 'post';
  /** Turns the provider's answers at the token endpoint into those of RFC 6749. */
  toStandardAnswer: (status: number, json: unknown) => { status: number; json: unknown };
  /** Null: the provider cannot revoke a token, so it expires by itself. */
  toRevocation: (client: OauthClient, token: string) => Revocation | null;
};

export type Revocation = LookupRequest & { method: 'POST' | 'DELETE'; body: string };

export const answersAsStandard: OauthProvider['toStandardAnswer'] = (status, json) => ({ status, json });

/** Since when the account exists, where the provider tells it. */
export function toSince(createdAt: string | undefined): { sinceMs?: number } {
  return createdAt === undefined ? {} : { sinceMs: Date.parse(createdAt) };
}

/**
 * Not percent-encoded, although RFC 6749 wants that: X documents the plain form, and a server that decodes reads the
 * same unless the secret contains "%" or "+".
 */
export function toBasic({ clientId, clientSecret }: Pick<OauthClient, 'clientId' | 'clientSecret'>): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
}
