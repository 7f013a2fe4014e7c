import { html } from 'hono/html';
import type { Html } from '../html.ts';

/** A moment: the text is in UTC, and the script puts it into the reader's zone. `day`: without the time. */
export function time(date: Date, text: string, shows: 'minute' | 'day' = 'minute'): Html {
  return html`<time datetime="${date.toISOString()}" data-shows="${shows}">${text}</time>`;
}
