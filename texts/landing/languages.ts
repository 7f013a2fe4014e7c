import type { Language } from '../../core/languages.ts';
import { landingDe } from './de.ts';
import { landingEn, type LandingTexts } from './en.ts';
import { landingEs } from './es.ts';
import { landingJa } from './ja.ts';
import { landingPt } from './pt.ts';

export const LANDING: Readonly<Record<Language, LandingTexts>> = {
  en: landingEn,
  es: landingEs,
  de: landingDe,
  pt: landingPt,
  ja: landingJa,
};
