import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { parseAccept } from 'hono/utils/accept';
import { findLanguage, LANGUAGE_TAGS, type Language } from '../core/languages.ts';
import type { Reader } from './page.ts';

const COOKIE = 'pennypost-language';
const COOKIE_SECONDS = 365 * 24 * 60 * 60;

/**
 * The language to answer in: `?lang`, which is remembered, then the one that was chosen before, then `known` (of the
 * chat that the link came from), then the browser's. `page`: where the page stands that answers a posted form.
 */
export function readerOf(c: Context, known: Language | null = null, page: string | null = null): Reader {
  const asked = findLanguage(c.req.query('lang'));
  if (asked !== null)
    setCookie(c, COOKIE, asked, { path: '/', httpOnly: true, sameSite: 'Lax', maxAge: COOKIE_SECONDS });
  const language =
    asked ?? findLanguage(getCookie(c, COOKIE)) ?? known ?? acceptedLanguage(c.req.header('Accept-Language')) ?? 'en';
  const url = page === null ? ownAddress(c) : new URL(page, c.req.url);
  return {
    language,
    menu: url === null ? [] : LANGUAGE_TAGS.map((tag) => ({ language: tag, href: hrefIn(url, tag) })),
  };
}

/** The first that we have, in the order of the browser's wishes. */
export function acceptedLanguage(header: string | undefined): Language | null {
  const wanted = parseAccept(header ?? '').filter(({ q }) => q > 0);
  return wanted.map(({ type }) => findLanguage(type)).find((language) => language !== null) ?? null;
}

/** A link can only ask again for what was asked for, and not for what a form did. */
function ownAddress({ req }: Context): URL | null {
  return req.method === 'GET' || req.method === 'HEAD' ? new URL(req.url) : null;
}

function hrefIn({ pathname, searchParams }: URL, language: Language): string {
  const query = new URLSearchParams(searchParams);
  query.set('lang', language);
  // Two slashes would begin the name of another host, and an address is what a stranger made of it.
  return `${pathname.replace(/^\/+/, '/')}?${query.toString()}`;
}
