/** What a reader cannot see and what reorders the text around it. The two joiners stay: emoji and scripts need them. */
const HIDDEN = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}]/gu;
const INK = /[^\p{Default_Ignorable_Code_Point}\p{White_Space}\u2800]/u;
/** More combining marks than any language stacks: they would paint over the lines above. */
const STACKED_MARKS = /(\p{M}{3})\p{M}+/gu;

/**
 * A stranger's text, as one line of at most `charactersMax` characters that can only be read: hidden and reordering
 * characters are gone. Null when nothing visible is left. It is not HTML; the page that shows it escapes it.
 */
export function toShownText(text: string, charactersMax: number): string | null {
  const line = text
    .replace(/\p{White_Space}+/gu, ' ')
    .replace(HIDDEN, '')
    .replace(STACKED_MARKS, '$1')
    .trim();
  if (!INK.test(line)) return null;
  const characters = Array.from(line);
  if (characters.length <= charactersMax) return line;
  // A joiner at the end would wait for the character that was cut off.
  const kept = characters.slice(0, charactersMax - 1).join('');
  return `${kept.replace(/[\s\u200C\u200D]+$/u, '')}…`;
}
