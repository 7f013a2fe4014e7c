/** Out of an app's own browser, which has no passkeys, into the phone's: a one-time link takes the sign-in along. */
import { html } from 'hono/html';
import { copyable } from '../../web/components/copy.ts';
import type { Html } from '../../web/html.ts';
import type { Page } from '../../web/page.ts';
import type { PageSite } from '../shared/page-site.ts';

/** Shown inside of an app, and wherever the script finds no passkeys. The link is made only when it is asked for. */
export function wayOutSection({ texts: { purse: text } }: PageSite, walletId: string, isInApp: boolean): Html {
  return html`<div class="state${isInApp ? '' : ' lacks-passkey'}"><strong>${text.outTitle}</strong> <span>${text.outNote}</span>
      <form method="post" action="/purse/move" class="row">
        <input type="hidden" name="wallet" value="${walletId}" />
        <button type="submit" class="button quiet">${text.outAsk}</button>
      </form></div>`;
}

/** `browserUrl`: opens it in the phone's own browser, where there is a way to ask for that. */
export function wayOutPage(
  { texts: { purse: text } }: PageSite,
  { url, browserUrl, minutes }: { url: string; browserUrl: string | null; minutes: number },
): Page {
  return {
    title: text.outTitle,

    main: html`<article class="paper letter">
      <h1>${text.outTitle}</h1>
      <p>${text.outLink(minutes)} ${text.outOver}</p>
      <p class="state"><strong class="care">${text.outKey}</strong> <span>${text.outSecret}</span></p>
      ${browserUrl === null ? '' : html`<p class="primary"><a class="button wide" href="${browserUrl}" rel="noopener">${text.outOpen}</a></p>`}
      <p>${browserUrl === null ? text.outPaste : text.outOrPaste}</p>
      ${copyable(url, text.outCopy, { isLong: true })}
      <p class="actions"><a class="button quiet" href="/purse">${text.back}</a></p>
      <p class="visually-hidden" role="status" id="announcer"></p>
    </article>`,
  };
}

/** Before the press that uses the link up: whose money it is, so that nobody goes on with a stranger's. */
export function movedWhosePage({ texts: { purse: text } }: PageSite, whose: string, secret: string): Page {
  return {
    title: text.movedTitle,
    main: html`<article class="paper letter">
      <h1>${whose}</h1>
      <p>${text.movedOnly}</p>
      <form method="post">
        <input type="hidden" name="secret" value="${secret}" />
        <input type="hidden" name="sure" value="1" />
        <button type="submit" class="button wide">${text.movedHere}</button>
      </form>
    </article>`,
  };
}

/** Where the link leads. Only the script can read what stands behind its `#`, and it is used up two presses later. */
export function movedPage({ texts: { purse: text } }: PageSite): Page {
  return {
    title: text.movedTitle,

    main: html`<article class="paper letter">
      <h1>${text.movedTitle}</h1>
      <p>${text.movedOnly}</p>
      <form method="post" class="needs-script">
        <input type="hidden" name="secret" value="" data-fragment />
        <button type="submit" class="button wide">${text.movedHere}</button>
      </form>
      <noscript><p>${text.movedScript}</p></noscript>
    </article>`,
  };
}
