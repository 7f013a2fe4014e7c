import { html } from 'hono/html';
import type { Language } from '../../../core/languages.ts';
import type { Recipient } from '../../../core/platforms/recipient.ts';
import { CLAIM_PAGES } from '../../../texts/claim-pages/languages.ts';
import { stepHeading } from '../../../web/components/alert.ts';
import { sentence } from '../../../web/components/sentence.ts';
import type { Page } from '../../../web/page.ts';
import type { ReceiptView } from '../../receipts/view.ts';
import type { ClaimView } from '../claims.ts';
import { sumLine } from './sum-line.ts';
import { ownerOf, startPath, whyRejected } from './wording.ts';

/** A claim that is over without money going to the person. */
export function endedPage(view: ClaimView, language: Language, receipt: ReceiptView | null): Page {
  const words = CLAIM_PAGES[language];
  const start = startPath(view.recipient, view.receiptSlug);
  if (view.status === 'expired')
    return letter({ title: words.timeOver, text: words.timeOverNote, start, receipt }, language);
  if (view.reason === 'declined') return declined(start, language);
  const why = whyRejected(view.reason, ownerOf(view, language), language);
  return letter({ title: words.didNotWork, text: `${why} ${words.stillWaits}`, start, receipt }, language);
}

/** The claim does not record whether later payments are refused, so the page covers both. */
function declined(start: string, language: Language): Page {
  const words = CLAIM_PAGES[language];
  return {
    title: words.itGoesBack,
    description: words.itGoesBackNote,
    main: html`<article class="paper letter steps-page" data-step="ended">
      <p class="eyebrow">${words.returnToSender}</p>
      ${stepHeading(words.itGoesBack, false)}
      <p class="lead">${words.wasWaiting}</p>
      <p>${sentence((put) => words.changedMind(put(html`<a href="${start}">${words.collectOnce}</a>`)))}</p>
    </article>`,
  };
}

export function lostSignInPage(text: string, start: string, language: Language): Page {
  const { didNotWork: title, nothingMoved } = CLAIM_PAGES[language];
  return letter({ title, text: `${text} ${nothingMoved}`, start, receipt: null }, language);
}

type Ended = { title: string; text: string; start: string; receipt: ReceiptView | null };

function letter({ title, text, start, receipt }: Ended, language: Language): Page {
  const words = CLAIM_PAGES[language];
  return {
    title,
    description: text,
    main: html`<article class="paper letter steps-page" data-step="ended">
      <p class="eyebrow">${words.collect}</p>
      ${sumLine(receipt, language)}
      ${stepHeading(title, false)}
      <p class="lead">${text}</p>
      <p class="actions"><a class="button" id="start" href="${start}">${words.startAgain}</a></p>
    </article>`,
  };
}

/**
 * A claim is shown only to the browser that opened it. Apps open links in browsers of their own, so this is no failure:
 * the page offers to begin again, for the name in the address.
 */
export function elsewherePage(
  from: { recipient: Recipient; receiptSlug: string | null } | null,
  language: Language,
): Page {
  const words = CLAIM_PAGES[language];
  const start = from === null ? '/' : startPath(from.recipient, from.receiptSlug);
  return {
    title: words.startHere,
    description: words.otherBrowser,
    main: html`<article class="paper letter steps-page" data-step="elsewhere">
      <p class="eyebrow">${words.collect}</p>
      ${stepHeading(words.letUsStart, false)}
      <p class="lead">${words.otherBrowserNote}</p>
      ${from === null ? html`<p>${words.openLinkAgain}</p>` : ''}
      <p class="actions"><a class="button" id="start" href="${start}">${from === null ? words.toStartPage : words.startHere}</a></p>
    </article>`,
  };
}
