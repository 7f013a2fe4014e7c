import type { Language } from '../../core/languages.ts';
import { signInDe } from './de.ts';
import { signInEn, type SignInTexts } from './en.ts';
import { signInEs } from './es.ts';
import { signInJa } from './ja.ts';
import { signInPt } from './pt.ts';

export const SIGN_IN: Readonly<Record<Language, SignInTexts>> = {
  en: signInEn,
  es: signInEs,
  de: signInDe,
  pt: signInPt,
  ja: signInJa,
};
