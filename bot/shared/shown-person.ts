import type { Language } from '../../core/languages.ts';
import { findPlatform } from '../../core/platforms/platforms.ts';
import { personName } from '../../texts/names/person.ts';
import type { PageSite } from './page-site.ts';

/** `x:alice`, as rows have it, is `@alice on X` for people. */
export function shownPerson(name: string, language: Language): string {
  const at = name.indexOf(':');
  const platform = findPlatform(name.slice(0, Math.max(at, 0)));
  return platform === null ? name : personName({ platform, key: name.slice(at + 1) }, language);
}

/** What a wallet is called; null: the browser's own, in its chat. */
export function titleOf({ texts, reader }: Pick<PageSite, 'texts' | 'reader'>, name: string | null): string {
  return name === null ? texts.purse.ofChat : texts.purse.of(shownPerson(name, reader.language));
}
