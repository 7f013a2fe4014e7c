import { html } from 'hono/html';
import type { Language } from '../../core/languages.ts';
import type { Html } from '../../web/html.ts';
import { time } from '../../web/components/time.ts';
import type { PageSite } from './page-site.ts';

/** In UTC, until the page's script puts it into the reader's zone. */
export function moment({ reader }: Pick<PageSite, 'reader'>, ms: number, shows: 'minute' | 'day' = 'minute'): Html {
  const text = shows === 'day' ? dayOf(reader.language, ms) : `${minuteOf(reader.language, ms)} UTC`;
  return time(new Date(ms), text, shows);
}

/** A sentence with `{time}` in it. */
export function withTime(
  site: Pick<PageSite, 'reader'>,
  sentence: string,
  ms: number,
  shows: 'minute' | 'day' = 'minute',
): Html {
  const [before = '', after = ''] = sentence.split('{time}');
  return html`${before}${moment(site, ms, shows)}${after}`;
}

const localeOf = (language: Language): string => (language === 'en' ? 'en-GB' : language);

function dayOf(language: Language, ms: number): string {
  const options = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Date(ms).toLocaleDateString(localeOf(language), options);
}

function minuteOf(language: Language, ms: number): string {
  const options = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' } as const;
  return new Date(ms).toLocaleString(localeOf(language), options);
}
