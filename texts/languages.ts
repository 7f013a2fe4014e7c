import type { Language } from '../core/languages.ts';
import { textsDe } from './de.ts';
import { textsEn, type Texts } from './en.ts';
import { textsEs } from './es.ts';
import { textsJa } from './ja.ts';
import { textsPt } from './pt.ts';

/** What chats and their pages say. */
export const LANGUAGES: Readonly<Record<Language, Texts>> = {
  en: textsEn,
  es: textsEs,
  de: textsDe,
  pt: textsPt,
  ja: textsJa,
};
