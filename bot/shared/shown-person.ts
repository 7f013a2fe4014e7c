import { namedPerson } from '../../texts/names/person.ts';
import type { PageSite } from './page-site.ts';

/** What a wallet is called; null: the browser's own, in its chat. */
export function titleOf({ texts, reader }: Pick<PageSite, 'texts' | 'reader'>, name: string | null): string {
  return name === null ? texts.purse.ofChat : texts.purse.of(namedPerson(name, reader.language));
}
