import { html } from 'hono/html';
import type { Paragraph } from '../../core/view.ts';
import type { Texts } from '../../texts/en.ts';
import { alert } from '../../web/components/alert.ts';
import { paragraph } from '../../web/components/paragraph.ts';
import type { Page } from '../../web/page.ts';

/** One sentence about what did not work, and the way back. */
export function noticePage({ walletPage: text, purse }: Texts, problem: Paragraph): Page {
  return {
    title: text.problemTitle,
    main: html`<article class="paper letter">
      <h1>${text.problemTitle}</h1>
      ${alert(paragraph(problem))}
      <p class="actions"><a class="button quiet" href="/purse">${purse.back}</a></p>
    </article>`,
  };
}
