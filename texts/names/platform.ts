import type { Language } from '../../core/languages.ts';
import { platformRow, type Platform } from '../../core/platforms/platforms.ts';

/** A brand is called the same everywhere; what is no brand has a word in each language. */
const WORDS: Readonly<Partial<Record<Platform, Readonly<Record<Language, string>>>>> = {
  email: { en: 'e-mail', es: 'correo electrónico', de: 'E-Mail', pt: 'e-mail', ja: 'メール' },
  web: { en: 'website', es: 'sitio web', de: 'Website', pt: 'site', ja: 'ウェブサイト' },
};

/** What people choose a platform by. A brand keeps its own letters. */
export function platformTitle(platform: Platform, language: Language): string {
  const word = WORDS[platform]?.[language];
  return word === undefined ? platformRow(platform).title : word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** The same inside a sentence. */
export function platformWord(platform: Platform, language: Language): string {
  return WORDS[platform]?.[language] ?? platformRow(platform).title;
}
