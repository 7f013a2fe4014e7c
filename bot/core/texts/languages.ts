import type { ReceiptLanguage } from '../../../core/receipt-texts/languages.ts';
import { textsDe } from './de.ts';
import { textsEn, type Texts } from './en.ts';
import { textsEs } from './es.ts';
import { textsJa } from './ja.ts';
import { textsPt } from './pt.ts';

/**
 * By the primary tag of a language (BCP 47). Another language is a set of files like those of English, a row here, and
 * one in `core/receipt-texts/`, which the compiler asks for: what the worker posts is in the same languages.
 */
export const LANGUAGES = {
  en: textsEn,
  es: textsEs,
  de: textsDe,
  pt: textsPt,
  ja: textsJa,
} as const satisfies Record<ReceiptLanguage, Texts>;

export type Language = keyof typeof LANGUAGES;

/** Null for a language that the bot does not speak, and for what is no language. */
export function findLanguage(tag: string | null | undefined): Language | null {
  const primary = /^[A-Za-z]{2,3}(?=$|[-_])/.exec(tag ?? '')?.[0].toLowerCase() ?? '';
  return Object.hasOwn(LANGUAGES, primary) ? (primary as Language) : null;
}
