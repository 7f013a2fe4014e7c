import { receiptDe } from './de.ts';
import { receiptEn, type ReceiptTexts } from './en.ts';
import { receiptEs } from './es.ts';
import { receiptJa } from './ja.ts';
import { receiptPt } from './pt.ts';

/** By the primary tag of a language (BCP 47). The bot's own table must have the same rows: its type asks for them. */
export const RECEIPT_LANGUAGES = {
  en: receiptEn,
  es: receiptEs,
  de: receiptDe,
  pt: receiptPt,
  ja: receiptJa,
} as const satisfies Record<string, ReceiptTexts>;

export type ReceiptLanguage = keyof typeof RECEIPT_LANGUAGES;

// A map, because the tag comes from a row that may be older or newer than this program.
const BY_TAG = new Map<string, ReceiptTexts>(Object.entries(RECEIPT_LANGUAGES));

/** English where nobody has chosen a language, and for one that we do not speak. */
export function receiptTextsIn(language: string | null): ReceiptTexts {
  return BY_TAG.get(language ?? 'en') ?? receiptEn;
}
