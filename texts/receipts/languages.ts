import { findLanguage, type Language } from '../../core/languages.ts';
import { namesIn } from '../names/person.ts';
import { receiptDe } from './de.ts';
import { receiptEn, type ReceiptTexts } from './en.ts';
import { receiptEs } from './es.ts';
import { receiptJa } from './ja.ts';
import { receiptPt } from './pt.ts';

export const RECEIPT_LANGUAGES: Readonly<Record<Language, ReceiptTexts>> = {
  en: receiptEn,
  es: receiptEs,
  de: receiptDe,
  pt: receiptPt,
  ja: receiptJa,
};

// A map, because the tag comes from a row that may be older or newer than this program.
const BY_TAG = new Map<string, ReceiptTexts>(Object.entries(RECEIPT_LANGUAGES));

/** English where nobody has chosen a language, and for one that we do not speak. */
export function receiptTextsIn(language: string | null): ReceiptTexts {
  return BY_TAG.get(language ?? 'en') ?? receiptEn;
}

/** What a recipient is called there. */
export function nameIn(language: string | null): (name: string) => string {
  return namesIn(findLanguage(language) ?? 'en');
}
