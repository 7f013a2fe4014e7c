import type { Language } from '../../core/languages.ts';
import { tipPageDe } from './de.ts';
import { tipPageEn, type TipPageTexts } from './en.ts';
import { tipPageEs } from './es.ts';
import { tipPageJa } from './ja.ts';
import { tipPagePt } from './pt.ts';

export const TIP_PAGES: Readonly<Record<Language, TipPageTexts>> = {
  en: tipPageEn,
  es: tipPageEs,
  de: tipPageDe,
  pt: tipPagePt,
  ja: tipPageJa,
};
