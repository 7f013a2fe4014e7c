import { describeCharacter } from '../characters.ts';

/** The name, or its fault as words that follow the quoted receiver. */
export type ParsedName = { key: string; display: string } | Problem;

export type Problem = {
  problem: string;
  /** The right spelling, where it is certain. */
  instead?: string;
};

export function isProblem<T extends object>(parsed: T | Problem): parsed is Problem {
  return 'problem' in parsed;
}

/**
 * Reads a plain ASCII name. `allowed` matches one character, `pattern` the whole lower-case key; the error names the
 * first character that is not allowed. Keys are lower case because no platform tells `Alice` from `alice`.
 */
export function parsePlainName(text: string, allowed: RegExp, pattern: RegExp): ParsedName {
  const stranger = Array.from(text).find((character) => !allowed.test(character));
  if (stranger !== undefined) return { problem: `contains ${describeCharacter(stranger)}` };
  // Only ASCII is left, so lower-casing cannot turn one letter into another.
  const key = text.toLowerCase();
  if (!pattern.test(key)) return { problem: `does not have the right form (${text.length} characters)` };
  return { key, display: text };
}
