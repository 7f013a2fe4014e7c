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

export const answersAsStandard: OauthProvider['toStandardAnswer'] = (status, json) => ({ status, json });

/** Where it is told since when an account exists. */
export function toSince(createdAt: string | undefined): { sinceMs?: number } {
  return createdAt === undefined ? {} : { sinceMs: Date.parse(createdAt) };
}

/**
 * Not percent-encoded, as RFC 6749 would have it: X documents the plain form, and where neither "%" nor "+" is in the
 * secret a server that decodes reads the same.
 */
export function toBasic({ clientId, clientSecret }: Pick<OauthClient, 'clientId' | 'clientSecret'>): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
}
