import type { Context } from 'hono';
import type { Language } from '../../core/languages.ts';
import type { Texts } from '../../texts/en.ts';
import { LANGUAGES } from '../../texts/languages.ts';
import { readerOf } from '../../web/language.ts';
import type { Reader, Site } from '../../web/page.ts';

/** What an answer is made of: this installation, and the words in the reader's language. */
export type PageSite = { site: Site; reader: Reader; texts: Texts; isPlayMoney: boolean };

/** `known`: the language of the chat that the link stood in. */
export function pageSiteOf(c: Context, site: Site, known: Language | null = null): PageSite {
  const reader = readerOf(c, known);
  return { site, reader, texts: LANGUAGES[reader.language], isPlayMoney: site.isPlayMoney };
}
