import { parsePlainName, type ParsedName } from './parsed-name.ts';

const FNAME = '[a-z0-9][a-z0-9-]{0,15}';
// The ASCII names that ENS normalisation (ENSIP-15) leaves as they are: no hyphens in third and fourth place.
const ENS_LABEL = '(?!..--)[a-z0-9][a-z0-9-]{0,62}';
const NAME = new RegExp(`^(?:${FNAME}|(?:${ENS_LABEL}\\.){1,3}eth)$`);

/** An fname (`alice`) or an ENS name (`alice.eth`, `alice.base.eth`). They are different people's names, kept apart. */
export function parseDecsocial(text: string): ParsedName {
  return parsePlainName(text, /^[A-Za-z0-9.-]$/, NAME);
}
