import { createHash } from 'node:crypto';
import type { RandomBytes } from '../core/ids.ts';

/**
 * One secret in one cookie identifies a browser on all pages: it may continue the claims it opened, and spend from the
 * wallets of the identities it proved. Rows and logs hold only what is derived from the secret.
 */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

export const BROWSER_COOKIE_SECONDS = 365 * 24 * 60 * 60;

/** The prefix keeps other sites, paths and subdomains from setting it; it needs TLS, which loopback does not have. */
export function browserCookieName(isSecure: boolean): string {
  return isSecure ? '__Host-pennypost' : 'pennypost';
}

export function newBrowserSecret(random: RandomBytes): string {
  return Buffer.from(random(32)).toString('base64url');
}

/** The id of the browser with this secret, and of its own wallet; null for what is no secret of ours. */
export function browserIdOf(secret: string | undefined): string | null {
  if (secret === undefined || !SECRET.test(secret)) return null;
  return `chat:${createHash('sha256').update(secret).digest('base64url').slice(0, 22)}`;
}
