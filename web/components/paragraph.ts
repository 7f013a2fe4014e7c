import { html } from 'hono/html';
import type { Paragraph, Span } from '../../core/view.ts';
import type { Html } from '../html.ts';
import { time } from './time.ts';

/** What the chat says too, with its emphasis, and its times in the reader's zone. */
export function paragraph(spans: Paragraph): Html {
  return html`${spans.map(toTag)}`;
}

function toTag({ text: words, style, atMs }: Span): Html {
  const text = atMs === undefined ? words : time(new Date(atMs), words);
  if (style === 'strong') return html`<strong>${text}</strong>`;
  return style === 'code' ? html`<code>${text}</code>` : html`${text}`;
}
