import type { Language } from '../../core/languages.ts';
import { goingBackDe } from './de.ts';
import { goingBackEn, type GoingBackTexts } from './en.ts';
import { goingBackEs } from './es.ts';
import { goingBackJa } from './ja.ts';
import { goingBackPt } from './pt.ts';

export const GOING_BACK: Readonly<Record<Language, GoingBackTexts>> = {
  en: goingBackEn,
  es: goingBackEs,
  de: goingBackDe,
  pt: goingBackPt,
  ja: goingBackJa,
};
