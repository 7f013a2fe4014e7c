import { findHidden } from '../characters.ts';

/** As long as a note on a receipt. */
const CHARACTERS_MAX = 140;

/** The beginning of a stranger's text, on one line and without invisible characters. */
export function toExcerpt(text: string): string {
  // Cut first, because a hostile text may be very long.
  const characters = Array.from(
    text
      .slice(0, 10 * CHARACTERS_MAX)
      .replace(/\s+/g, ' ')
      .trim(),
  );
  const visible = characters.filter((character) => findHidden(character) === null);
  const shown = visible.slice(0, CHARACTERS_MAX).join('');
  return visible.length > CHARACTERS_MAX || text.length > 10 * CHARACTERS_MAX ? `${shown}…` : shown;
}
