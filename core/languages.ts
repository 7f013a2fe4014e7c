/** Primary tags (BCP 47). A new language is a tag here and files in `texts/`, which the compiler names. */
export const LANGUAGE_TAGS = ['en', 'es', 'de', 'pt', 'ja'] as const;
export type Language = (typeof LANGUAGE_TAGS)[number];

/** Null for an unknown language, and for what is no language. */
export function findLanguage(tag: string | null | undefined): Language | null {
  const primary = /^[A-Za-z]{2,3}(?=$|[-_])/.exec(tag ?? '')?.[0].toLowerCase() ?? '';
  return LANGUAGE_TAGS.find((known) => known === primary) ?? null;
}
