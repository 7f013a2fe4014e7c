import type { Language } from '../../core/languages.ts';
import { handleOf } from '../../core/platforms/person-name.ts';
import { findPlatform, platformRow, type Platform } from '../../core/platforms/platforms.ts';

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

/** A person who is named as rows and commands have it: `x:alice` is `@alice on X`. What is no name stays as it is. */
export function namedPerson(name: string, language: Language = 'en'): string {
  const named = readName(name);
  return named === null ? name : personName(named, language);
}

/**
 * The same for the one who pays, and in chats: a number that only a chat has a name for stays as it was typed
 * (`discord:42`). A payer can compare it, and a chat puts its name there.
 */
export function nameForPayer(name: string, language: Language = 'en'): string {
  const named = readName(name);
  return named === null || isNumber(named) ? name : personName(named, language);
}

/** The same, for a file of texts in one language. */
export const namesIn =
  (language: Language) =>
  (name: string): string =>
    nameForPayer(name, language);

function readName(name: string): Named | null {
  const at = name.indexOf(':');
  const platform = findPlatform(name.slice(0, Math.max(at, 0)));
  return platform === null ? null : { platform, key: name.slice(at + 1) };
}

/** The first half of it. */
export function shownHandle(named: Named, language: Language = 'en'): string {
  return isNumber(named) ? SOMEONE[language](platformRow(named.platform).title) : handleOf(named);
}

function isNumber({ platform, key }: Named): boolean {
  const { peopleAreCalled, isUserId } = platformRow(platform);
  return peopleAreCalled === 'as in a chat' && isUserId?.(key) === true;
}

/** The second half of `personName`, for where the first is shown by itself: ` on X`, or nothing. */
export function afterName(platform: Platform, language: Language = 'en'): string {
  const { peopleAreCalled, title } = platformRow(platform);
  if (peopleAreCalled === 'as in a chat') return '';
  const { between, on } = ON[language](title);
  return `${between}${on}`;
}
