import type { Language } from '../../core/languages.ts';
import { handleOf } from '../../core/platforms/person-name.ts';
import { platformRow, type Platform } from '../../core/platforms/platforms.ts';

type Named = { platform: Platform; key: string };

/** A member of a chat whose name only the chat knows: people read no number. */
const SOMEONE: Readonly<Record<Language, (title: string) => string>> = {
  en: (title) => `someone on ${title}`,
  es: (title) => `alguien en ${title}`,
  de: (title) => `ein Mitglied bei ${title}`,
  pt: (title) => `alguém no ${title}`,
  ja: (title) => `${title}の方`,
};

/** What follows a name, with what stands between the two. */
const ON: Readonly<Record<Language, (title: string) => { between: string; on: string }>> = {
  en: (title) => ({ between: ' ', on: `on ${title}` }),
  es: (title) => ({ between: ' ', on: `en ${title}` }),
  de: (title) => ({ between: ' ', on: `bei ${title}` }),
  pt: (title) => ({ between: ' ', on: `no ${title}` }),
  ja: (title) => ({ between: '', on: `（${title}）` }),
};

/**
 * `@alice on X`: a person, wherever people read of one. The form of chat commands (`x:alice`) is for those who type
 * one, and for programs.
 */
export function personName(named: Named, language: Language = 'en'): string {
  return `${shownHandle(named, language)}${afterName(named.platform, language)}`;
}

/** The first half of it. */
export function shownHandle(named: Named, language: Language = 'en'): string {
  const { peopleAreCalled, isUserId, title } = platformRow(named.platform);
  const isNumber = peopleAreCalled === 'as in a chat' && isUserId?.(named.key) === true;
  return isNumber ? SOMEONE[language](title) : handleOf(named);
}

/** The second half of `personName`, for where the first is shown by itself: ` on X`, or nothing. */
export function afterName(platform: Platform, language: Language = 'en'): string {
  const { peopleAreCalled, title } = platformRow(platform);
  if (peopleAreCalled === 'as in a chat') return '';
  const { between, on } = ON[language](title);
  return `${between}${on}`;
}
