import type { Language } from '../../core/languages.ts';
import { mailCodeDe } from './de.ts';
import { mailCodeEn, type MailCodeTexts } from './en.ts';
import { mailCodeEs } from './es.ts';
import { mailCodeJa } from './ja.ts';
import { mailCodePt } from './pt.ts';

export const MAIL_CODE: Readonly<Record<Language, MailCodeTexts>> = {
  en: mailCodeEn,
  es: mailCodeEs,
  de: mailCodeDe,
  pt: mailCodePt,
  ja: mailCodeJa,
};
