import type { Language } from '../../core/languages.ts';
import { trustDe } from './de.ts';
import { trustEn, type TrustTexts } from './en.ts';
import { trustEs } from './es.ts';
import { trustJa } from './ja.ts';
import { trustPt } from './pt.ts';

export const TRUST: Readonly<Record<Language, TrustTexts>> = {
  en: trustEn,
  es: trustEs,
  de: trustDe,
  pt: trustPt,
  ja: trustJa,
};
