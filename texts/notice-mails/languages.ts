import type { Language } from '../../core/languages.ts';
import { noticeMailDe } from './de.ts';
import { noticeMailEn, type NoticeMailTexts } from './en.ts';
import { noticeMailEs } from './es.ts';
import { noticeMailJa } from './ja.ts';
import { noticeMailPt } from './pt.ts';

export const NOTICE_MAILS: Readonly<Record<Language, NoticeMailTexts>> = {
  en: noticeMailEn,
  es: noticeMailEs,
  de: noticeMailDe,
  pt: noticeMailPt,
  ja: noticeMailJa,
};
