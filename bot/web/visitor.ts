import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { BROWSER_COOKIE_SECONDS, browserCookieName, browserIdOf, newBrowserSecret } from '../../identity/browsers.ts';

/**
 * A visitor is a browser, known by the cookie that all pages of the service share: who proved a name in it may pay from
 * what was kept for that name. Chat, user and own wallet have one id, made from it.
 */
export type Visitor = { id: string };

/** Null without a cookie of ours. */
export function readVisitor(context: Context, isSecure: boolean): Visitor | null {
  const id = browserIdOf(getCookie(context, browserCookieName(isSecure)));
  return id === null ? null : { id };
}

/** The secret of this visitor, a new one if need be. The cookie lasts a year from the last visit. */
export function welcomeVisitor(
  context: Context,
  { random, isSecure }: { random: (count: number) => Uint8Array; isSecure: boolean },
): string {
  const name = browserCookieName(isSecure);
  const known = getCookie(context, name);
  const secret = known !== undefined && browserIdOf(known) !== null ? known : newBrowserSecret(random);
  const maxAge = BROWSER_COOKIE_SECONDS;
  setCookie(context, name, secret, { path: '/', httpOnly: true, sameSite: 'Lax', secure: isSecure, maxAge });
  return secret;
}

export function forgetVisitor(context: Context, isSecure: boolean): void {
  deleteCookie(context, browserCookieName(isSecure), { path: '/', secure: isSecure });
}
