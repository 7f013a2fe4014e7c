import { html } from 'hono/html';
import type { Recipient } from '../../../core/platforms/recipient.ts';
import type { Page } from '../../../web/page.ts';
import type { ClaimView } from '../claims.ts';
import { stepHeading } from '../../../web/components/alert.ts';
import { toPage } from '../offers/page-context.ts';
import { ownerOf, startPath, whyRejected } from './wording.ts';

/** A claim that is over without money going to the person. */
export function endedPage(view: ClaimView): Page {
  const start = startPath(view.recipient, view.receiptSlug);
  if (view.status === 'expired') {
    return letter('The time for this is over', 'Nothing was moved and nothing is lost: what waits still waits.', start);
  }
  if (view.reason === 'declined') return declined(start);
  return letter('That did not work', `${whyRejected(view.reason, ownerOf(view))} What waits still waits.`, start);
}

/** The claim does not record whether later payments are refused, so the page covers both. */
function declined(start: string): Page {
  return toPage({
    title: 'It goes back',
    description: 'The money goes back to whoever sent it.',
    main: html`<article class="paper letter steps-page" data-step="ended">
      <p class="eyebrow">Return to sender</p>
      ${stepHeading('It goes back', false)}
      <p class="lead">What was waiting goes back to whoever sent it, by itself.</p>
      <p>If you chose “never again”, nobody can send money to this name here from now on. Changed your mind? <a href="${start}">Collect once</a>, and it is open again.</p>
    </article>`,
  });
}

export function lostSignInPage(text: string, start: string): Page {
  return letter('That did not work', `${text} Nothing was moved and nothing is lost.`, start);
}

function letter(title: string, text: string, start: string): Page {
  return toPage({
    title,
    description: text,
    main: html`<article class="paper letter steps-page" data-step="ended">
      <p class="eyebrow">Collect</p>
      ${stepHeading(title, false)}
      <p class="lead">${text}</p>
      <p class="actions"><a class="button" id="start" href="${start}">Start again</a></p>
    </article>`,
  });
}

/**
 * A claim is shown only to the browser that opened it. Apps open links in browsers of their own, so this is no failure:
 * the page offers to begin again, for the name in the address.
 */
export function elsewherePage(from: { recipient: Recipient; receiptSlug: string | null } | null): Page {
  const start = from === null ? '/' : startPath(from.recipient, from.receiptSlug);
  return toPage({
    title: 'Start here',
    description: 'This was begun in another browser.',
    main: html`<article class="paper letter steps-page" data-step="elsewhere">
      <p class="eyebrow">Collect</p>
      ${stepHeading('Let us start here', false)}
      <p class="lead">This was begun in another browser, and only that one can go on with it; nothing is lost if you start again here.</p>
      ${from === null ? html`<p>Open the link that you were sent once more, or go to the start page.</p>` : ''}
      <p class="actions"><a class="button" id="start" href="${start}">${from === null ? 'To the start page' : 'Start here'}</a></p>
    </article>`,
  });
}
