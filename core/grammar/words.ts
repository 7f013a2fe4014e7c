/** A word of a command and its place in the text, so that a note keeps its spacing. */
export type Word = { text: string; start: number };

export function splitWords(text: string): Word[] {
  return Array.from(text.matchAll(/\S+/g), (match) => ({ text: match[0], start: match.index }));
}
