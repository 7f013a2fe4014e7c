/** By the primary tag (BCP 47). Another language is a word here and a set of files in `texts/`; the compiler names them. */
export const LANGUAGE_TAGS = ['en', 'es', 'de', 'pt', 'ja'] as const;
export type Language = (typeof LANGUAGE_TAGS)[number];

/** Null for a language that we do not speak, and for what is no language. */
export function findLanguage(tag: string | null | undefined): Language | null {
  const primary = /^[A-Za-z]{2,3}(?=$|[-_])/.exec(tag ?? '')?.[0].toLowerCase() ?? '';
  return LANGUAGE_TAGS.find((known) => known === primary) ?? null;
}
