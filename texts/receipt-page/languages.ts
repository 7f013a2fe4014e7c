import type { Language } from '../../core/languages.ts';
import { receiptPageDe } from './de.ts';
import { receiptPageEn, type ReceiptPageTexts } from './en.ts';
import { receiptPageEs } from './es.ts';
import { receiptPageJa } from './ja.ts';
import { receiptPagePt } from './pt.ts';

export const RECEIPT_PAGES: Readonly<Record<Language, ReceiptPageTexts>> = {
  en: receiptPageEn,
  es: receiptPageEs,
  de: receiptPageDe,
  pt: receiptPagePt,
  ja: receiptPageJa,
};
