/** Primary tags (BCP 47). A new language is a tag here and files in `texts/`, which the compiler names. */
export const LANGUAGE_TAGS = ['en', 'es', 'de', 'pt', 'ja'] as const;
export type Language = (typeof LANGUAGE_TAGS)[number];

/** Null for an unknown language, and for what is no language. */
export function findLanguage(tag: string | null | undefined): Language | null {
  const primary = /^[A-Za-z]{2,3}(?=$|[-_])/.exec(tag ?? '')?.[0].toLowerCase() ?? '';
  return LANGUAGE_TAGS.find((known) => known === primary) ?? null;
}

/** As its speakers write it. */
export function ownName(language: Language): string {
  return new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
}

/** What a person types for a language: its own name, also without accents, or its tag. */
export function findNamedLanguage(text: string): Language | null {
  const typed = bare(text);
  return LANGUAGE_TAGS.find((tag) => bare(ownName(tag)) === typed) ?? findLanguage(text);
}

const bare = (name: string): string => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
