import { html } from 'hono/html';
import type { Language } from '../../../core/languages.ts';
import { microUsdc, sumUsdc, ZERO_USDC } from '../../../core/money.ts';
import { networkTitle } from '../../../core/networks.ts';
import type { WaitsForRoute } from '../../../db/payments/records/waiting-lines.ts';
import { CLAIM_PAGES } from '../../../texts/claim-pages/languages.ts';
import { RECEIPT_PAGES } from '../../../texts/receipt-page/languages.ts';
import { receiptTextsIn } from '../../../texts/receipts/languages.ts';
import { dollars } from '../../../web/components/money.ts';
import { sentence } from '../../../web/components/sentence.ts';
import { steps, type Step } from '../../../web/components/steps.ts';
import { time } from '../../../web/components/time.ts';
import type { Html } from '../../../web/html.ts';
import type { Page } from '../../../web/page.ts';
import { deadline, type Reading } from '../../receipts/pages/deadline.ts';
import type { ReceiptView } from '../../receipts/view.ts';
import { isFinished, versionOfClaim } from '../answer.ts';
import type { ClaimView } from '../claims.ts';
import { canSignIn, type PageContext } from '../offers/page-context.ts';
import { addresses } from './destination.ts';
import { wayOut } from './way-out.ts';
import { ownerOf, PURSE_PATH } from './wording.ts';

/** Without script the page asks again this often while the money is on its way. */
const REFRESH_SECONDS = 5;
/** Nothing changes here unless the person gives another address, or we get money of our own elsewhere. */
const REFRESH_SECONDS_WAITING = 60;

/** The progress of a confirmed claim. Parts marked `data-live` are replaced by the script when something changed. */
export function progressPage(
  pageContext: PageContext,
  view: ClaimView,
  { receipts, language }: { receipts: readonly ReceiptView[]; language: Language },
): Page {
  const words = CLAIM_PAGES[language];
  const isPaid = view.status === 'paid';
  const isOver = isFinished(view);
  return {
    title: titleOf(view, language),
    description: words.follows,
    refreshSeconds: isOver ? null : view.waitsForRoute === null ? REFRESH_SECONDS : REFRESH_SECONDS_WAITING,
    main: html`<article class="paper letter steps-page" data-follow data-step="progress" data-version="${versionOfClaim(view)}" data-finished="${String(isOver)}">
      <p class="eyebrow">${words.collectedBy(ownerOf(view, language))}</p>
      <div data-live="heading"><h1 tabindex="-1" id="next-title" autofocus>${headingOf(view, language)}</h1></div>
      <p class="state" role="status" data-live="state"><strong class="${isPaid && view.returned === null ? 'good' : ''}">${stateOf(view, language)}</strong> <span>${nextOf(view, { language, nowMs: pageContext.now() })}</span></p>
      <div data-live="steps">${isNothing(view) ? '' : steps(words.progress, progressOf(view, language), RECEIPT_PAGES[language].stepStates)}</div>
      <div data-live="what-now">${view.waitsForRoute === null ? whatNow(pageContext, view, language) : wayOut(pageContext, view, { ...view.waitsForRoute, language })}</div>
      ${receipts.length === 0 ? '' : links(receipts, language)}
      <p class="visually-hidden" role="status" id="announcer"></p>
      ${isOver ? '' : updates(language)}
    </article>`,
  };
}

/** A claim that brings nothing, because what it released went back to its payer. */
function onlyReturned(view: ClaimView): boolean {
  return view.returned !== null && isNothing(view);
}

/** True where the purse has no room; false where an address is missing. */
function isForRoom({ waitsForRoute }: ClaimView): boolean {
  return waitsForRoute !== null && waitsForRoute.purseMaxMicroUsdc !== null;
}

function titleOf(view: ClaimView, language: Language): string {
  const words = CLAIM_PAGES[language];
  if (view.waitsForRoute !== null) return isForRoom(view) ? words.waitsForRoom : words.waitsForAddress;
  if (onlyReturned(view)) return backWords(view, language);
  return view.status === 'paid' ? words.isYours : words.onItsWay;
}

function backWords({ returned }: ClaimView, language: Language): string {
  const { wentBack, goingBack } = CLAIM_PAGES[language];
  return returned?.isThere === true ? wentBack : goingBack;
}

function isNothing({ total }: ClaimView): boolean {
  return (total ?? ZERO_USDC) === ZERO_USDC;
}

function headingOf(view: ClaimView, language: Language): Html {
  const { total, returned } = view;
  if (returned !== null && isNothing(view)) return html`<span class="amount">${dollars(returned.amount)}</span>`;
  if (isNothing(view)) return html`${CLAIM_PAGES[language].allSet}`;
  return html`<span class="amount">${dollars(total ?? ZERO_USDC)}</span>`;
}

function stateOf(view: ClaimView, language: Language): string {
  const words = CLAIM_PAGES[language];
  if (onlyReturned(view)) return backWords(view, language);
  if (isNothing(view)) return words.nothingWaits;
  if (view.waitsForRoute !== null) return isForRoom(view) ? words.yoursNoRoom : words.yoursAndWaits;
  if (view.status === 'paid') return 'keep' in view.payout ? words.yoursAndStays : words.arrived;
  return words.onItsWay;
}

function nextOf(view: ClaimView, reading: Reading): Html {
  const words = CLAIM_PAGES[reading.language];
  const { returned } = view;
  const next = whatIsNext(view, reading);
  if (returned === null) return next;
  const sum = dollars(returned.amount);
  if (!returned.isLate) return html`${isNothing(view) ? '' : next} ${words.takenBack(sum)}`;
  return isNothing(view) ? html`${words.wentBackNote(sum)}` : html`${next} ${words.partWentBack(sum)}`;
}

function whatIsNext(view: ClaimView, reading: Reading): Html {
  const { language } = reading;
  const words = CLAIM_PAGES[language];
  if (view.effectiveAtMs !== null) {
    const from = new Date(view.effectiveAtMs);
    return sentence((put) => words.newAddressFrom(put(time(from, RECEIPT_PAGES[language].minute(from)))));
  }
  if (view.waitsForRoute !== null) return whyItWaits(view, view.waitsForRoute, reading);
  if (view.status === 'paying') return html`${words.fewSeconds}`;
  return html`${isNothing(view) ? words.nextArrives : words.moreArrives}`;
}

function whyItWaits(
  view: ClaimView,
  { sums, untilMs, purseMaxMicroUsdc: most }: WaitsForRoute,
  reading: Reading,
): Html {
  const { language } = reading;
  const words = CLAIM_PAGES[language];
  const parts = sums.map(({ network, amount }) => words.sumOn(dollars(amount), networkTitle(network, null)));
  const given = (view.destinations ?? []).map(({ network }) => networkTitle(network, null));
  const until = deadline(new Date(untilMs), reading);
  if (most !== null) {
    const sum = dollars(sumUsdc(sums.map(({ amount }) => amount)));
    if (most === 0n) return sentence((put) => words.noneKept(sum, put(until)));
    return sentence((put) => words.noRoom(sum, dollars(microUsdc(most)), put(until)));
  }
  return sentence((put) => words.sentAs(parts.join(words.and), given.join(words.and), put(until)));
}

function progressOf({ status, waitsForRoute }: ClaimView, language: Language): Step[] {
  const words = CLAIM_PAGES[language];
  const isWaiting = waitsForRoute !== null;
  const isPaid = status === 'paid';
  return [
    { title: words.proven, state: 'done' },
    { title: isWaiting ? words.waiting : words.sent, state: isPaid && !isWaiting ? 'done' : 'now' },
    { title: words.there, state: isPaid ? 'done' : 'later' },
  ];
}

function whatNow(pageContext: PageContext, view: ClaimView, language: Language): Html {
  const given = 'keep' in view.payout ? '' : addresses(view.destinations ?? [], language);
  const isOver = view.status === 'paid' || isFinished(view);
  return html`${given}${isOver ? whereItEnds(pageContext, view, language) : ''}`;
}

/**
 * What is kept here is in the purse, and so may be what came earlier to a name for which nothing waits. Where nothing is
 * kept for such names, there is the letter.
 */
function whereItEnds(pageContext: PageContext, view: ClaimView, language: Language): Html {
  const words = CLAIM_PAGES[language];
  const { recipient, receiptSlug } = view;
  if ('keep' in view.payout) {
    const isSendable = pageContext.site.isPlayMoney && !isNothing(view);
    return html`<p class="actions">
        <a class="button" id="purse" href="${PURSE_PATH}">${words.seeMoney}</a>
        ${isSendable ? html`<a class="button quiet" id="send-on" href="/chat">${words.sendOn}</a>` : ''}
      </p>`;
  }
  if (!isNothing(view)) return html``;
  if (canSignIn(pageContext, recipient.platform))
    return html`<p class="actions"><a class="button quiet" id="purse" href="${PURSE_PATH}">${words.seeMoney}</a></p>`;
  if (receiptSlug === null) return html``;
  const { openReceipt } = receiptTextsIn(language);
  return html`<p class="actions"><a class="button quiet" id="letter" href="/receipts/${receiptSlug}">${openReceipt()}</a></p>`;
}

function links(receipts: readonly ReceiptView[], language: Language): Html {
  const words = CLAIM_PAGES[language];
  return html`<h2>${words.receipts}</h2>
      <div class="receipt-links">${receipts.map(
        ({ receiptUrl, amount }) =>
          html`<a href="${receiptUrl.slice(receiptUrl.indexOf('/receipts/'))}">${words.receiptFor(dollars(amount))}</a>`,
      )}</div>`;
}

function updates(language: Language): Html {
  const { followsPayment, reloads } = CLAIM_PAGES[language];
  return html`<p class="live-note needs-script" id="live-note">${followsPayment}</p>
      <noscript><p class="live-note">${reloads}</p></noscript>`;
}
