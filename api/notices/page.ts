import { html } from 'hono/html';
import type { Html } from '../../web/html.ts';
import type { Page } from '../../web/page.ts';

/** The form leads to the page's own address, so that the token stands nowhere else. */
export function askPage(): Page {
  return toPage('No more mails about money?', {
    description: 'One click, and we write no more.',
    main: html`<p class="lead">We will never again write to you that money waits for you.</p>
      <form method="post">
        <p class="actions"><button class="button" type="submit">Write no more</button></p>
      </form>
      <p class="hint">Money that is sent to you can still be collected. What you do not collect goes back to whoever sent it.</p>`,
  });
}

export function donePage(): Page {
  return toPage('We write no more', {
    description: 'There will be no more mails about money that waits.',
    main: html`<p class="lead">From now on there will be no more mails about money that waits for you.</p>
      <p>Only what you ask for yourself still reaches you, such as a code when you collect money, and a word when the place that your money goes to is about to change.</p>`,
  });
}

function toPage(title: string, { description, main }: { description: string; main: Html }): Page {
  return {
    title,
    description,
    main: html`<article class="paper letter">
      <p class="eyebrow">Mails</p>
      <h1>${title}</h1>
      ${main}
    </article>`,
  };
}
