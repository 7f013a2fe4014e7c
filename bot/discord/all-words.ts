import type { Language } from '../core/texts/languages.ts';
import { wordsDe } from './words-de.ts';
import { wordsEn } from './words-en.ts';
import { wordsEs } from './words-es.ts';
import { wordsJa } from './words-ja.ts';
import { wordsPt } from './words-pt.ts';
import type { DiscordWords } from './words.ts';

export const WORDS = {
  en: wordsEn,
  es: wordsEs,
  de: wordsDe,
  pt: wordsPt,
  ja: wordsJa,
} as const satisfies Record<Language, DiscordWords>;
