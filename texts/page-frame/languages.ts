import type { Language } from '../../core/languages.ts';
import { pageFrameDe } from './de.ts';
import { pageFrameEn, type PageFrame } from './en.ts';
import { pageFrameEs } from './es.ts';
import { pageFrameJa } from './ja.ts';
import { pageFramePt } from './pt.ts';

export const PAGE_FRAMES: Readonly<Record<Language, PageFrame>> = {
  en: pageFrameEn,
  es: pageFrameEs,
  de: pageFrameDe,
  pt: pageFramePt,
  ja: pageFrameJa,
};

/** Each language by its own name, for the menu. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  es: 'Español',
  de: 'Deutsch',
  pt: 'Português',
  ja: '日本語',
};
