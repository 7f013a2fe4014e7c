import { NOTE_CHARACTERS_MAX } from '../grammar/note.ts';
import { platformsWhere, type Platform } from '../platforms/platforms.ts';

/**
 * Platforms on which a person may have a page under their name: names that an account has, of which the platform says
 * whose they are. An address or a site is private, or changes owners.
 */
export const TIP_PAGE_PLATFORMS: readonly Platform[] = platformsWhere(
  (row) => row.http === 'public' && !row.nameIsIdentity,
);

export const TIP_PAGE_CHARACTERS_MAX = NOTE_CHARACTERS_MAX;

const DAY_MS = 24 * 3_600_000;
/** Then its owner switches it on again: a name may have another owner by then. */
export const TIP_PAGE_DAYS = 90;
export const TIP_PAGE_MS = TIP_PAGE_DAYS * DAY_MS;

/** What a reader could follow or send to: sites, addresses of mail and of money, names with an @. */
const LINK =
  /[\p{L}\p{N}_-][.․]\p{L}{2,}|[\p{Script=Latin}\p{N}_-]。\p{Script=Latin}{2,}|:\/\/|\bwww\b|@|\b0x[0-9a-f]{6,}|[1-9A-HJ-NP-Za-km-z]{32,}/iu;

export function hasLink(text: string): boolean {
  return LINK.test(text.normalize('NFKC'));
}
