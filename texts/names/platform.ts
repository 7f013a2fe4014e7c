import type { Language } from '../../core/languages.ts';
import { platformRow, type Platform } from '../../core/platforms/platforms.ts';

/** A brand is called the same everywhere; what is no brand has a word in each language. */
const WORDS: Readonly<Partial<Record<Platform, Readonly<Record<Language, string>>>>> = {
  email: { en: 'E-mail', es: 'Correo electrónico', de: 'E-Mail', pt: 'E-mail', ja: 'メール' },
  web: { en: 'Website', es: 'Sitio web', de: 'Website', pt: 'Site', ja: 'ウェブサイト' },
};

/** What people choose a platform by. */
export function platformTitle(platform: Platform, language: Language): string {
  return WORDS[platform]?.[language] ?? platformRow(platform).title;
}
