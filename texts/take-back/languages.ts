import type { Language } from '../../core/languages.ts';
import { takeBackDe } from './de.ts';
import { takeBackEn, type TakeBackTexts } from './en.ts';
import { takeBackEs } from './es.ts';
import { takeBackJa } from './ja.ts';
import { takeBackPt } from './pt.ts';

export const TAKE_BACK: Readonly<Record<Language, TakeBackTexts>> = {
  en: takeBackEn,
  es: takeBackEs,
  de: takeBackDe,
  pt: takeBackPt,
  ja: takeBackJa,
};
