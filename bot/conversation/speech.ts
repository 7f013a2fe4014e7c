import { isTipTyped } from '../../core/grammar/command.ts';
import { findLanguage, type Language } from '../../core/languages.ts';
import type { View } from '../../core/view.ts';
import { findChatUser } from '../../db/chats/users.ts';
import { readGroupLanguage } from '../../db/communities/community-settings.ts';
import { LANGUAGES } from '../../texts/languages.ts';
import type { Origin, TextEvent } from '../shared/messenger.ts';
import type { CoreDeps } from './dependencies.ts';
import { workingView } from './views.ts';

/** What the person has chosen, else the language that the platform reports; null where neither is known. */
export async function languageOf(
  { store }: Pick<CoreDeps, 'store'>,
  { userId, language }: Pick<Origin, 'userId' | 'language'>,
): Promise<Language | null> {
  const user = await findChatUser(store, userId);
  return findLanguage(user?.language) ?? findLanguage(language);
}

/** Of a card that all read: what the moderators there have set, else as the person reads who asked for it. */
export async function cardLanguageOf(
  deps: Pick<CoreDeps, 'store'>,
  origin: Pick<Origin, 'userId' | 'language' | 'transport' | 'communityId'>,
): Promise<Language | null> {
  return (await readGroupLanguage(deps.store, origin)) ?? (await languageOf(deps, origin));
}

/** The same dependencies, in this language: every sentence is taken from `texts`. */
export function speaking<Deps extends Pick<CoreDeps, 'texts'>>(deps: Deps, language: string | null): Deps {
  const found = findLanguage(language);
  return found === null ? deps : { ...deps, texts: LANGUAGES[found] };
}

type Heard = Pick<CoreDeps, 'texts' | 'groupLanguage'>;
type Place = { transport: string; communityId?: string | null | undefined; messageId: string };

/** `texts` in the person's language, and the group's known for what this message shows to all. */
export async function speakingIn<Deps extends Heard & Pick<CoreDeps, 'store' | 'messengers'>>(
  deps: Deps,
  { transport, communityId, messageId }: Place,
  language: string | null,
): Promise<Deps> {
  const set = await readGroupLanguage(deps.store, { transport, communityId });
  const isForAll = set !== null && ((await deps.messengers[transport]?.isForAll?.(messageId)) ?? true);
  return { ...speaking(deps, language), groupLanguage: isForAll ? set : null };
}

/** For a view that everyone in the chat reads. */
export function inPublic<Deps extends Heard>(deps: Deps): Deps {
  return speaking(deps, deps.groupLanguage ?? null);
}

/** The first word on what was typed. */
export async function firstView(
  deps: Pick<CoreDeps, 'store' | 'texts'>,
  event: Pick<TextEvent, 'text' | 'transport' | 'communityId'>,
): Promise<View> {
  const set = isTipTyped(event.text) ? await readGroupLanguage(deps.store, event) : null;
  return workingView(speaking(deps, set).texts.thinking());
}
