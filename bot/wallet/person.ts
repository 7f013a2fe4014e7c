import { findPlatform } from '../../core/platforms/platforms.ts';
import type { PageSite } from '../shared/page-site.ts';
import { personName } from '../../core/platforms/person-name.ts';

/** `x:alice`, as rows have it, is `@alice on X` for people. */
export function shownPerson(name: string): string {
  const at = name.indexOf(':');
  const platform = findPlatform(name.slice(0, Math.max(at, 0)));
  return platform === null ? name : personName({ platform, key: name.slice(at + 1) });
}

/** What a wallet is called; null: the browser's own, in its chat. */
export function titleOf(text: PageSite['texts']['purse'], name: string | null): string {
  return name === null ? text.ofChat : text.of(shownPerson(name));
}
