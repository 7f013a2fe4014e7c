import { html } from 'hono/html';
import type { Paragraph, Span } from '../../core/view.ts';
import type { Html } from '../html.ts';

/** What the chat says too, with its emphasis. */
export function paragraph(spans: Paragraph): Html {
  return html`${spans.map(toTag)}`;
}

function toTag({ text, style }: Span): Html {
  if (style === 'strong') return html`<strong>${text}</strong>`;
  return style === 'code' ? html`<code>${text}</code>` : html`${text}`;
}
