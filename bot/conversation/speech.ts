import { findChatUser } from '../../db/chats/users.ts';
import type { CoreDeps } from './dependencies.ts';
import type { Origin } from '../shared/messenger.ts';
import { findLanguage, type Language } from '../../core/languages.ts';
import { LANGUAGES } from '../../texts/languages.ts';

/** What the person has chosen, else the language that the platform reports; null where neither is known. */
export async function languageOf(
  { store }: Pick<CoreDeps, 'store'>,
  { userId, language }: Pick<Origin, 'userId' | 'language'>,
): Promise<Language | null> {
  const user = await findChatUser(store, userId);
  return findLanguage(user?.language) ?? findLanguage(language);
}

/** The same dependencies, in this language: every sentence is taken from `texts`. */
export function speaking<Deps extends Pick<CoreDeps, 'texts'>>(deps: Deps, language: string | null): Deps {
  const found = findLanguage(language);
  return found === null ? deps : { ...deps, texts: LANGUAGES[found] };
}
