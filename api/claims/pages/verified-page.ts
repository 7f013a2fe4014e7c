import { html } from 'hono/html';
import type { Language } from '../../../core/languages.ts';
import { ZERO_USDC } from '../../../core/money.ts';
import { networkTitle } from '../../../core/networks.ts';
import { platformRow } from '../../../core/platforms/platforms.ts';
import { CLAIM_PAGES } from '../../../texts/claim-pages/languages.ts';
import { RECEIPT_PAGES } from '../../../texts/receipt-page/languages.ts';
import { SIGN_IN } from '../../../texts/sign-in/languages.ts';
import { alert, stepHeading } from '../../../web/components/alert.ts';
import { dollars } from '../../../web/components/money.ts';
import { breakable } from '../../../web/components/person.ts';
import { sentence } from '../../../web/components/sentence.ts';
import { time } from '../../../web/components/time.ts';
import type { Html } from '../../../web/html.ts';
import type { Page } from '../../../web/page.ts';
import type { ClaimView } from '../claims.ts';
import { type Problem } from '../offers/page-context.ts';
import { addresses } from './destination.ts';
import { ownerOf, startPath, stepWords } from './wording.ts';

/**
 * The proven name, what waits, and where it goes: the last look before money moves. `token` confirms this claim once,
 * in this browser.
 */
export function verifiedPage(
  view: ClaimView,
  token: string,
  { problem, language }: { problem: Problem | null; language: Language },
): Page {
  const words = CLAIM_PAGES[language];
  const name = ownerOf(view, language);
  const title = words.youAre(name);
  const heading = sentence((put) => words.youAre(put(html`<bdi class="recipient">${breakable(name)}</bdi>`)));
  const { stop } = RECEIPT_PAGES[language];
  if ('open' in view.payout) return signedInPage({ view, token, problem, language, title, heading });
  return {
    title: problem === null ? title : words.problem(title),
    description: words.lastLook,
    main: html`<article class="paper letter steps-page" data-step="verified">
      <p class="eyebrow">${stepWords('confirm', view, language)}</p>
      ${alert(problem?.text(language) ?? null)}
      ${stepHeading(html`${heading}${stop.trim()}`, problem !== null)}
      ${whatHappens(view, language)}
      ${'decline' in view.payout ? declineForm(view, token, language) : confirmForm(view, token, language)}
      <p><a class="standing-link" href="${startPath(view.recipient, view.receiptSlug)}">${words.notRight}</a></p>
    </article>`,
  };
}

type SignedIn = {
  view: ClaimView;
  token: string;
  problem: Problem | null;
  language: Language;
  title: string;
  heading: Html;
};

/** The name is proven: the last page before the browser is let in. */
function signedInPage({ view, token, problem, language, title, heading }: SignedIn): Page {
  const words = SIGN_IN[language];
  return {
    title: problem === null ? title : CLAIM_PAGES[language].problem(title),
    description: words.whatFor,
    main: html`<article class="paper letter steps-page" data-step="verified">
      <p class="eyebrow">${words.eyebrow}</p>
      ${alert(problem?.text(language) ?? null)}
      ${stepHeading(html`${heading}${RECEIPT_PAGES[language].stop.trim()}`, problem !== null)}
      <p class="lead">${words.shows}</p>
      ${waitOf(view, language)}
      <form method="post" action="/claims/${view.claimId}/confirm">
        <input type="hidden" name="confirm_token" value="${token}">
        <button class="button wide" id="confirm">${words.confirm}</button>
      </form>
    </article>`,
  };
}

function whatHappens(view: ClaimView, language: Language): Html {
  const words = CLAIM_PAGES[language];
  const { payout, destinations } = view;
  const total = view.total ?? ZERO_USDC;
  const isNothing = total === ZERO_USDC;
  const sum = html`<strong class="sum">${dollars(total)}</strong>`;
  if ('decline' in payout) {
    return isNothing
      ? nothing(view, language)
      : html`<p class="lead">${sentence((put) => words.goesBack(put(sum)))}</p>`;
  }
  const where =
    'keep' in payout
      ? html`<p class="lead">${isNothing ? words.laterStays : sentence((put) => words.staysHere(put(sum)))}</p>${waitOf(view, language)}`
      : html`<p class="lead">${isNothing ? words.laterGoes : sentence((put) => words.goesHere(put(sum)))}</p>
      ${addresses(destinations ?? [], language)}
      ${elsewhere(view, language)}`;
  return html`${isNothing ? nothing(view, language) : ''}${where}`;
}

/** Others already keep money under this name, so at first this browser may only look: said before it is confirmed. */
function waitOf({ spendsFromMs, looksFromMs, isGuarded }: ClaimView, language: Language): Html | '' {
  if (spendsFromMs === null) return '';
  const from = new Date(spendsFromMs);
  const at = time(from, RECEIPT_PAGES[language].minute(from));
  const words = SIGN_IN[language];
  const waits = isGuarded ? words.waitsGuarded : words.waits;
  const [title, says] = looksFromMs === null ? [words.waitsTitle, waits] : [words.unseenTitle, words.unseen];
  return html`<p class="state"><strong>${title}</strong> <span>${sentence((put) => says(put(at)))}</span></p>`;
}

function nothing({ receiptSlug, recipient }: ClaimView, language: Language): Html {
  const words = CLAIM_PAGES[language];
  const isOther = receiptSlug !== null && platformRow(recipient.platform).mask !== undefined;
  return html`<p class="state"><strong>${words.nothingWaits}</strong> <span>${words.nothingWaitsNote}${isOther ? ` ${words.otherAddress}` : ''}</span></p>`;
}

/** Money that came in on a network without an address is paid out on the other one, if we hold enough there. */
function elsewhere({ sums, destinations }: ClaimView, language: Language): Html | '' {
  const { cameInOn, broughtOver } = CLAIM_PAGES[language];
  const others = (sums ?? []).filter(
    ({ network, amount }) => amount > 0n && !(destinations ?? []).some((known) => known.network === network),
  );
  if (others.length === 0) return '';
  return html`<p class="hint">${others.map(({ network, amount }) => `${cameInOn(dollars(amount), networkTitle(network, null))} `)}${broughtOver}</p>`;
}

function confirmForm(view: ClaimView, token: string, language: Language): Html {
  return html`<form method="post" action="/claims/${view.claimId}/confirm">
        <input type="hidden" name="confirm_token" value="${token}">
        <button class="button wide" id="confirm">${whatConfirms(view, language)}</button>
      </form>`;
}

/** The button says what it does, and with how much. */
function whatConfirms({ payout, total }: ClaimView, language: Language): string {
  const { confirmKeep, confirmSend, keep, sendThere } = CLAIM_PAGES[language];
  const isKept = 'keep' in payout;
  if (total === null || total === ZERO_USDC) return isKept ? keep : sendThere;
  return isKept ? confirmKeep(dollars(total)) : confirmSend(dollars(total));
}

function declineForm(view: ClaimView, token: string, language: Language): Html {
  const { neverAgain, sendBack } = CLAIM_PAGES[language];
  return html`<form method="post" action="/claims/${view.claimId}/decline">
        <input type="hidden" name="confirm_token" value="${token}">
        <label class="check"><input type="checkbox" name="opt_out" value="yes"> <span>${neverAgain}</span></label>
        <button class="button wide" id="decline">${sendBack}</button>
      </form>`;
}
