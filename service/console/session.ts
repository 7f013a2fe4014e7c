import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import { SESSION_MS } from '../../core/admins/admins.ts';
import type { Admin } from '../../db/admins/admins.ts';
import { endSession, findSession } from '../../db/admins/sessions.ts';
import type { Store } from '../../db/store/store.ts';
import { newBrowserSecret } from '../../identity/browsers.ts';

/**
 * Two cookies: `session` says who is signed in; `ask` makes the challenges of one page with a passkey, and a new one is made
 * with each such page. A value that we did not make is worth nothing: both are 256 random bits, and only the first is in a table,
 * as a hash.
 */
const NAMES = { session: 'pennypost-console', ask: 'pennypost-console-ask' } as const;
const SECRET = /^[A-Za-z0-9_-]{43}$/;
const ASK_SECONDS = 10 * 60;

export type Cookies = {
  /** Gives the browser a new one, and answers it. */
  give: (context: Context, which: keyof typeof NAMES) => string;
  read: (context: Context, which: keyof typeof NAMES) => string | null;
  drop: (context: Context, which: keyof typeof NAMES) => void;
};

/** Over TLS the prefix keeps other names and plain HTTP from setting them. Nothing that another site sends carries them. */
export function createCookies(publicUrl: string, random: (count: number) => Uint8Array): Cookies {
  const secure = new URL(publicUrl).protocol === 'https:';
  const nameOf = (which: keyof typeof NAMES) => `${secure ? '__Host-' : ''}${NAMES[which]}`;
  const options: CookieOptions = { path: '/', httpOnly: true, sameSite: 'Strict', secure };
  const seconds = { session: SESSION_MS / 1_000, ask: ASK_SECONDS } as const;
  return {
    give: (context, which) => {
      const secret = newBrowserSecret(random);
      setCookie(context, nameOf(which), secret, { ...options, maxAge: seconds[which] });
      return secret;
    },
    read: (context, which) => {
      const value = getCookie(context, nameOf(which));
      return value !== undefined && SECRET.test(value) ? value : null;
    },
    drop: (context, which) => void deleteCookie(context, nameOf(which), options),
  };
}

/** What is stored of a secret. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

type Sessions = { store: Store; cookies: Cookies; now: () => number };

export async function adminOf({ store, cookies, now }: Sessions, context: Context): Promise<Admin | null> {
  const secret = cookies.read(context, 'session');
  return secret === null ? null : findSession(store, hashOf(secret), now());
}

/** In the database, so that a copy of the cookie is worth nothing either. */
export async function signOut({ store, cookies, now }: Sessions, context: Context): Promise<void> {
  const secret = cookies.read(context, 'session');
  if (secret !== null) await endSession(store, hashOf(secret), now());
  cookies.drop(context, 'session');
}
