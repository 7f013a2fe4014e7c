import { html } from 'hono/html';
import type { Paragraph } from '../../core/view.ts';
import type { Texts } from '../../texts/en.ts';
import { paragraph, type Page } from './layout.ts';

/** One sentence about what did not work, and the way back. */
export function noticePage({ walletPage: text }: Texts, problem: Paragraph): Page {
  return {
    title: text.problemTitle,
    main: html`<h1>${text.problemTitle}</h1>
      <p role="alert">${paragraph(problem)}</p>
      <p><a class="action" href="/wallet">${text.back}</a></p>`,
  };
}
