import { html } from 'hono/html';
import type { Html } from '../html.ts';

/** Stands for an element while its sentence is put together. No language writes with these characters. */
const PLACE = /\uE000(\d+)\uE001/;

/**
 * A sentence with elements in it, such as a name or a time. Each language has its own order of words, so the text is
 * made first, with `put` where an element belongs.
 */
export function sentence(write: (put: (element: Html) => string) => string): Html {
  const elements: Html[] = [];
  const text = write((element) => `\uE000${elements.push(element) - 1}\uE001`);
  // Every second piece is the number of an element.
  return html`${text.split(PLACE).map((piece, index) => (index % 2 === 0 ? piece : (elements[Number(piece)] ?? '')))}`;
}
