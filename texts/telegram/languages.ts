import type { Language } from '../../core/languages.ts';
import { telegramDe } from './de.ts';
import { telegramEn, type TelegramTexts } from './en.ts';
import { telegramEs } from './es.ts';
import { telegramJa } from './ja.ts';
import { telegramPt } from './pt.ts';

const TELEGRAM_TEXTS: Readonly<Record<Language, TelegramTexts>> = {
  en: telegramEn,
  es: telegramEs,
  de: telegramDe,
  pt: telegramPt,
  ja: telegramJa,
};

const BY_TAG = new Map<string, TelegramTexts>(Object.entries(TELEGRAM_TEXTS));

/** By the primary tag (`findLanguage` gives it); English for every other. */
export function telegramTextsIn(language: string | null): TelegramTexts {
  return BY_TAG.get(language ?? 'en') ?? telegramEn;
}
