import { findLanguage, type Language } from '../../core/languages.ts';
import { reportsDe } from './de.ts';
import { reportsEn, type ReportTexts } from './en.ts';
import { reportsEs } from './es.ts';
import { reportsJa } from './ja.ts';
import { reportsPt } from './pt.ts';

export const REPORTS: Readonly<Record<Language, ReportTexts>> = {
  en: reportsEn,
  es: reportsEs,
  de: reportsDe,
  pt: reportsPt,
  ja: reportsJa,
};

/** English where nobody has chosen a language, and for one that we do not speak. */
export function reportsIn(language: string | null): ReportTexts {
  return REPORTS[findLanguage(language) ?? 'en'];
}

/** What the link is called that leads to the form. */
export function reportLabel(language: string | null): string {
  return reportsIn(language).link;
}
