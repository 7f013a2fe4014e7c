import { findChatUser } from '../../db/chats/users.ts';
import type { CoreDeps } from './dependencies.ts';
import type { Origin } from '../shared/messenger.ts';
import { findLanguage, type Language } from '../../core/languages.ts';
import { LANGUAGES } from '../../texts/languages.ts';

/** What the person has chosen, else what the platform says that they read; null where nobody says anything. */
export async function languageOf(
  { store }: Pick<CoreDeps, 'store'>,
  { userId, language }: Pick<Origin, 'userId' | 'language'>,
): Promise<Language | null> {
  const user = await findChatUser(store, userId);
  return findLanguage(user?.language) ?? findLanguage(language);
}

/** The same works, speaking this language: all that is said is taken from `texts`. */
export function speaking<Deps extends Pick<CoreDeps, 'texts'>>(deps: Deps, language: string | null): Deps {
  const found = findLanguage(language);
  return found === null ? deps : { ...deps, texts: LANGUAGES[found] };
}
