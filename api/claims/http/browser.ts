import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { RandomBytes } from '../../../core/ids.ts';
import {
  BROWSER_COOKIE_SECONDS,
  browserCookieName,
  browserIdOf,
  newBrowserSecret,
} from '../../../identity/browsers.ts';
import { hasBotToken } from '../../http/caller.ts';
import type { ApiEnv } from '../../http/env.ts';
import type { Opener } from '../claims.ts';

export type BrowserDependencies = {
  settings: { baseUrl: string; botApiToken: string | null };
  random: RandomBytes;
};

/** The caller: our bot by its token, else a browser by its cookie; null without one of ours. */
export function openerOf(c: Context<ApiEnv>, { settings }: Pick<BrowserDependencies, 'settings'>): Opener | null {
  if (hasBotToken(c, settings.botApiToken)) return { kind: 'bot' };
  const browserId = browserIdOf(getCookie(c, browserCookieName(isSecure(settings))));
  return browserId === null ? null : { kind: 'browser', browserId };
}

/** The same; a browser without a cookie gets one. It lasts a year from the last claim that was opened with it. */
export function ensureBrowser(c: Context<ApiEnv>, { settings, random }: BrowserDependencies): Opener {
  if (hasBotToken(c, settings.botApiToken)) return { kind: 'bot' };
  const name = browserCookieName(isSecure(settings));
  const known = getCookie(c, name);
  const secret = known !== undefined && browserIdOf(known) !== null ? known : newBrowserSecret(random);
  setCookie(c, name, secret, {
    path: '/',
    httpOnly: true,
    // A sign-in comes back from the provider's site, by a link that may carry it.
    sameSite: 'Lax',
    secure: isSecure(settings),
    maxAge: BROWSER_COOKIE_SECONDS,
  });
  const browserId = browserIdOf(secret);
  if (browserId === null) throw new Error('a new browser secret does not have the form of one');
  return { kind: 'browser', browserId };
}

function isSecure({ baseUrl }: { baseUrl: string }): boolean {
  return new URL(baseUrl).protocol === 'https:';
}
