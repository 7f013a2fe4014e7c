import { createHash } from 'node:crypto';
import type { RandomBytes } from '../core/ids.ts';

/**
 * A browser is known by one secret in one cookie, whichever page gave it: who opened a claim may go on with it, and who
 * proved an identity may spend from its wallet. Rows and logs hold only what is derived from the secret.
 */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

export const BROWSER_COOKIE_SECONDS = 365 * 24 * 60 * 60;

/** With the prefix no other site, path or subdomain can set it; it needs TLS, which loopback does not have. */
export function browserCookieName(isSecure: boolean): string {
  return isSecure ? '__Host-pennypost' : 'pennypost';
}

export function newBrowserSecret(random: RandomBytes): string {
  return Buffer.from(random(32)).toString('base64url');
}

/** The id of the browser with this secret, also that of its own wallet; null for what is no secret of ours. */
export function browserIdOf(secret: string | undefined): string | null {
  if (secret === undefined || !SECRET.test(secret)) return null;
  return `chat:${createHash('sha256').update(secret).digest('base64url').slice(0, 22)}`;
}
