import type { Language } from '../../core/languages.ts';
import { noticePageDe } from './de.ts';
import { noticePageEn, type NoticePageTexts } from './en.ts';
import { noticePageEs } from './es.ts';
import { noticePageJa } from './ja.ts';
import { noticePagePt } from './pt.ts';

export const NOTICE_PAGES: Readonly<Record<Language, NoticePageTexts>> = {
  en: noticePageEn,
  es: noticePageEs,
  de: noticePageDe,
  pt: noticePagePt,
  ja: noticePageJa,
};
