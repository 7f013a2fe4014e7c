import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { findLanguage, LANGUAGE_TAGS, type Language } from '../core/languages.ts';
import type { Reader } from './page.ts';

const COOKIE = 'pennypost-language';
const COOKIE_SECONDS = 365 * 24 * 60 * 60;
/** More than any browser sends. */
const RANGES_MAX = 20;

/**
 * The language to answer in: `?lang`, which is remembered, then the one that was chosen before, then `known` (of the
 * chat that the link came from), then the browser's.
 */
export function readerOf(c: Context, known: Language | null = null): Reader {
  const asked = findLanguage(c.req.query('lang'));
  if (asked !== null) setCookie(c, COOKIE, asked, { path: '/', sameSite: 'Lax', maxAge: COOKIE_SECONDS });
  const language =
    asked ?? findLanguage(getCookie(c, COOKIE)) ?? known ?? acceptedLanguage(c.req.header('Accept-Language')) ?? 'en';
  return { language, menu: LANGUAGE_TAGS.map((tag) => ({ language: tag, href: hrefIn(c.req.url, tag) })) };
}

/** The first that we have, in the order of the browser's wishes. */
export function acceptedLanguage(header: string | undefined): Language | null {
  const ranges = (header ?? '').split(',').slice(0, RANGES_MAX).map(parseRange);
  const wanted = ranges.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight);
  return wanted.map(({ tag }) => findLanguage(tag)).find((language) => language !== null) ?? null;
}

function parseRange(text: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = text.split(';').map((part) => part.trim());
  const weight = parameters
    .map((part) => /^q=(\d(?:\.\d{1,3})?)$/i.exec(part)?.[1])
    .find((found) => found !== undefined);
  return { tag, weight: weight === undefined ? 1 : Number(weight) };
}

function hrefIn(url: string, language: Language): string {
  const { pathname, searchParams } = new URL(url);
  searchParams.set('lang', language);
  return `${pathname}?${searchParams.toString()}`;
}
