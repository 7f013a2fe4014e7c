import { isProblem, parsePlainName, type ParsedName } from './parsed-name.ts';

/** Ids are unsigned 64-bit integers (Discord API reference, "Snowflakes"). */
const ID_MAX = 2n ** 64n - 1n;

/** A leading zero is refused: one person must not have two keys. */
export function parseDiscord(text: string): ParsedName {
  const parsed = parsePlainName(text, /^[0-9]$/, /^[1-9][0-9]{0,19}$/);
  if (!isProblem(parsed) && BigInt(parsed.key) > ID_MAX) return { problem: 'is larger than any user id' };
  return parsed;
}
