import { textsEn, type Texts } from './en.ts';

/** By the primary tag of a language (BCP 47). Another language is a file beside `en.ts`, and a row here. */
export const LANGUAGES = { en: textsEn } as const satisfies Record<string, Texts>;

export type Language = keyof typeof LANGUAGES;

/** Null for a language that the bot does not speak, and for what is no language. */
export function findLanguage(tag: string | null | undefined): Language | null {
  const primary = /^[A-Za-z]{2,3}(?=$|[-_])/.exec(tag ?? '')?.[0].toLowerCase() ?? '';
  return Object.hasOwn(LANGUAGES, primary) ? (primary as Language) : null;
}
