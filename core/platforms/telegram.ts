import { isProblem, parsePlainName, type ParsedName } from './parsed-name.ts';

/** Ids have at most 52 significant bits (Telegram Bot API, type User). Groups are negative and are not people. */
const ID_MAX = 2n ** 52n - 1n;

/** A numeric id, or a name until the id behind it is known. A name starts with a letter, so the two never meet. */
export function parseTelegram(text: string): ParsedName {
  if (!/^[0-9]+$/.test(text)) {
    // Names of five letters and more are free; those of four are sold.
    return parsePlainName(text, /^[A-Za-z0-9_]$/, /^(?=.{4,32}$)[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/);
  }
  const parsed = parsePlainName(text, /^[0-9]$/, /^[1-9][0-9]{0,15}$/);
  if (!isProblem(parsed) && BigInt(parsed.key) > ID_MAX) return { problem: 'is larger than any user id' };
  return parsed;
}

export function isTelegramId(key: string): boolean {
  return /^[0-9]+$/.test(key);
}
