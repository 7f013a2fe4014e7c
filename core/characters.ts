/** How strangers' text is quoted in our own sentences, and how single characters are named there. */
import { findConfusable } from './confusables.ts';

const QUOTE_CHARACTERS_MAX = 80;

/**
 * Characters that are invisible or reorder the text around them: controls, format and bidirectional characters, line
 * and paragraph separators, lone surrogates, private use, unassigned, and all that Unicode shows as nothing (fillers,
 * variation selectors, tags). The blank Braille pattern is invisible as well.
 */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

// prettier-ignore
const HIDDEN_NAMES: Readonly<Record<string, string>> = {
  '\u0000': 'NULL', '\u0009': 'TAB', '\u000A': 'LINE FEED', '\u000D': 'CARRIAGE RETURN', '\u001B': 'ESCAPE',
  '\u007F': 'DELETE', '\u00AD': 'SOFT HYPHEN', '\u034F': 'COMBINING GRAPHEME JOINER', '\u061C': 'ARABIC LETTER MARK',
  '\u1160': 'HANGUL JUNGSEONG FILLER', '\u115F': 'HANGUL CHOSEONG FILLER', '\u180E': 'MONGOLIAN VOWEL SEPARATOR',
  '\u200B': 'ZERO WIDTH SPACE', '\u200C': 'ZERO WIDTH NON-JOINER', '\u200D': 'ZERO WIDTH JOINER',
  '\u200E': 'LEFT-TO-RIGHT MARK', '\u200F': 'RIGHT-TO-LEFT MARK', '\u2028': 'LINE SEPARATOR',
  '\u2029': 'PARAGRAPH SEPARATOR', '\u202A': 'LEFT-TO-RIGHT EMBEDDING', '\u202B': 'RIGHT-TO-LEFT EMBEDDING',
  '\u202C': 'POP DIRECTIONAL FORMATTING', '\u202D': 'LEFT-TO-RIGHT OVERRIDE', '\u202E': 'RIGHT-TO-LEFT OVERRIDE',
  '\u2060': 'WORD JOINER', '\u2066': 'LEFT-TO-RIGHT ISOLATE', '\u2067': 'RIGHT-TO-LEFT ISOLATE',
  '\u2068': 'FIRST STRONG ISOLATE', '\u2069': 'POP DIRECTIONAL ISOLATE', '\u2800': 'BRAILLE PATTERN BLANK',
  '\u3164': 'HANGUL FILLER', '\uFE0F': 'VARIATION SELECTOR-16', '\uFEFF': 'ZERO WIDTH NO-BREAK SPACE',
};

/** The first invisible character, or null. */
export function findHidden(text: string): string | null {
  return HIDDEN.exec(text)?.[0] ?? null;
}

/** `"alice"`: cut to a readable length, hidden characters as `U+202E`. Safe inside our own sentences. */
export function quoteText(text: string): string {
  // Cut by UTF-16 units first: a hostile text may be very long.
  const characters = Array.from(text.slice(0, 2 * QUOTE_CHARACTERS_MAX));
  const shown = characters.slice(0, QUOTE_CHARACTERS_MAX).map((character) => {
    return HIDDEN.test(character) ? formatCodePoint(character) : character;
  });
  const isCut = text.length > characters.slice(0, QUOTE_CHARACTERS_MAX).join('').length;
  return `"${shown.join('')}${isCut ? '…' : ''}"`;
}

/** Names one character for a person: a look-alike says what it imitates, a hidden one that it is hidden. */
export function describeCharacter(character: string): string {
  const codePoint = formatCodePoint(character);
  if (HIDDEN.test(character)) {
    const name = HIDDEN_NAMES[character];
    return name === undefined ? `${codePoint}, an invisible character` : `${codePoint} ${name}, an invisible character`;
  }
  const confusable = findConfusable(character);
  if (confusable) return `${codePoint} ${confusable.name}, which looks like '${confusable.like}'`;
  if (character === ' ') return 'a space';
  if (/[\x21-\x7E]/.test(character)) return `'${character}'`;
  // A combining mark would sit on our quotation mark.
  return /\p{M}/u.test(character) ? `${codePoint}, a combining mark` : `${codePoint} '${character}'`;
}

function formatCodePoint(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
}
