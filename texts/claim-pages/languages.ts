import type { Language } from '../../core/languages.ts';
import { claimPagesDe } from './de.ts';
import { claimPagesEn, type ClaimPageTexts } from './en.ts';
import { claimPagesEs } from './es.ts';
import { claimPagesJa } from './ja.ts';
import { claimPagesPt } from './pt.ts';

export const CLAIM_PAGES: Readonly<Record<Language, ClaimPageTexts>> = {
  en: claimPagesEn,
  es: claimPagesEs,
  de: claimPagesDe,
  pt: claimPagesPt,
  ja: claimPagesJa,
};
