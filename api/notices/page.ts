import { html } from 'hono/html';
import type { NoticePageTexts } from '../../texts/notice-pages/en.ts';
import type { Html } from '../../web/html.ts';
import type { Page } from '../../web/page.ts';

/** The forms lead to the page's own address, so that the token stands nowhere else. */
export function askPage(text: NoticePageTexts): Page {
  return toPage(text, text.stopTitle, {
    description: text.stopDescription,
    main: html`<p class="lead">${text.stopLead}</p>
      ${buttonOf(text.stopButton)}
      <p class="hint">${text.stopHint}</p>`,
  });
}

export function donePage(text: NoticePageTexts): Page {
  return toPage(text, text.stoppedTitle, {
    description: text.stoppedDescription,
    main: html`<p class="lead">${text.stoppedLead}</p>
      <p>${text.stoppedNote}</p>`,
  });
}

/** About what is to change with money that is kept here. */
export function holdPage(text: NoticePageTexts): Page {
  return toPage(text, text.holdTitle, {
    description: text.holdLead,
    main: html`<p class="lead">${text.holdLead}</p>
      <p>${text.holdNote}</p>
      ${buttonOf(text.holdButton)}`,
  });
}

export function heldPage(text: NoticePageTexts): Page {
  return toPage(text, text.heldTitle, { description: text.heldNote, main: endOf(text, text.heldNote) });
}

export function overPage(text: NoticePageTexts): Page {
  return toPage(text, text.overTitle, { description: text.overNote, main: endOf(text, text.overNote) });
}

function endOf(text: NoticePageTexts, note: string): Html {
  return html`<p class="lead">${note}</p>
      <p class="actions"><a class="button quiet" href="/purse">${text.seePurse}</a></p>`;
}

function buttonOf(label: string): Html {
  return html`<form method="post">
        <p class="actions"><button class="button" type="submit">${label}</button></p>
      </form>`;
}

function toPage(
  { eyebrow }: NoticePageTexts,
  title: string,
  { description, main }: { description: string; main: Html },
): Page {
  return {
    title,
    description,
    main: html`<article class="paper letter">
      <p class="eyebrow">${eyebrow}</p>
      <h1>${title}</h1>
      ${main}
    </article>`,
  };
}
