import { findLanguage, type Language } from '../../core/languages.ts';
import { discordDe } from './de.ts';
import { discordEn } from './en.ts';
import { discordEs } from './es.ts';
import { discordJa } from './ja.ts';
import { discordPt } from './pt.ts';
import type { DiscordTexts } from './words.ts';

export const DISCORD_TEXTS: Readonly<Record<Language, DiscordTexts>> = {
  en: discordEn,
  es: discordEs,
  de: discordDe,
  pt: discordPt,
  ja: discordJa,
};

/** For a locale of Discord. */
export function discordTextsFor(locale: string): DiscordTexts {
  return DISCORD_TEXTS[findLanguage(locale) ?? 'en'];
}
