import { html } from 'hono/html';
import { ZERO_USDC } from '../../../core/money.ts';
import { networkTitle } from '../../../core/networks.ts';
import type { WaitsForRoute } from '../../../db/payments/records/waiting-lines.ts';
import type { Html } from '../../../web/html.ts';
import type { Page } from '../../../web/page.ts';
import { steps, type StepState } from '../../../web/components/steps.ts';
import type { ReceiptView } from '../../receipts/view.ts';
import { formatDay, formatMinute } from '../../../texts/receipt-page/en.ts';
import { versionOfClaim } from '../answer.ts';
import type { ClaimView } from '../claims.ts';
import { addresses } from './destination.ts';
import { toPage, type PageContext } from '../offers/page-context.ts';
import { dollars } from '../../../web/components/money.ts';
import { ownerOf } from './wording.ts';
import { wayOut } from './way-out.ts';

/** Without script the page asks again this often while the money is on its way. */
const REFRESH_SECONDS = 5;
/** Nothing changes here unless the person gives another address, or we get money of our own elsewhere. */
const REFRESH_SECONDS_WAITING = 60;

/** The progress of a confirmed claim. Parts marked `data-live` are replaced by the script when something changed. */
export function progressPage(pageContext: PageContext, view: ClaimView, receipts: readonly ReceiptView[]): Page {
  const { site } = pageContext;
  const isPaid = view.status === 'paid';
  return toPage({
    title: titleOf(view),
    description: 'Follows the money until it has arrived.',
    refreshSeconds: isPaid ? null : view.waitsForRoute === null ? REFRESH_SECONDS : REFRESH_SECONDS_WAITING,
    main: html`<article class="paper letter steps-page" data-follow data-step="progress" data-version="${versionOfClaim(view)}" data-finished="${String(isPaid)}">
      <p class="eyebrow">Collected by ${ownerOf(view)}</p>
      <div data-live="heading"><h1 tabindex="-1" id="next-title" autofocus>${headingOf(view)}</h1></div>
      <p class="state" role="status" data-live="state"><strong class="${isPaid ? 'good' : ''}">${stateOf(view)}</strong> <span>${nextOf(view)}</span></p>
      <div data-live="steps">${isNothing(view) ? '' : steps('Progress of your money', progressOf(view))}</div>
      <div data-live="what-now">${view.waitsForRoute === null ? whatNow(view, site.isPlayMoney) : wayOut(pageContext, view, view.waitsForRoute)}</div>
      ${receipts.length === 0 ? '' : links(receipts)}
      <p class="visually-hidden" role="status" id="announcer"></p>
      ${isPaid ? '' : updates()}
    </article>`,
  });
}

function titleOf({ status, waitsForRoute }: ClaimView): string {
  if (waitsForRoute !== null) return 'It waits for an address';
  return status === 'paid' ? 'It is yours' : 'On its way to you';
}

function isNothing({ total }: ClaimView): boolean {
  return (total ?? ZERO_USDC) === ZERO_USDC;
}

function headingOf(view: ClaimView): Html {
  if (isNothing(view)) return html`All set`;
  return html`<span class="amount">${dollars(view.total ?? ZERO_USDC)}</span>`;
}

function stateOf(view: ClaimView): string {
  if (isNothing(view)) return 'Nothing is waiting for you right now';
  if (view.waitsForRoute !== null) return 'It is yours, and waits for an address that can take it';
  if (view.status === 'paid') return 'keep' in view.payout ? 'It is yours, and stays here for you' : 'It has arrived';
  return 'On its way to you';
}

function nextOf(view: ClaimView): string {
  if (view.effectiveAtMs !== null) {
    return `Another address was here before, so for your safety the new one counts from ${formatMinute(new Date(view.effectiveAtMs))}. Until then money goes to the one before.`;
  }
  if (view.waitsForRoute !== null) return whyItWaits(view, view.waitsForRoute);
  if (view.status === 'paying') return 'This takes a few seconds. You can close this page.';
  return isNothing(view)
    ? 'What is sent to you from now on arrives by itself.'
    : 'More that is sent to you arrives by itself.';
}

function whyItWaits(view: ClaimView, { sums, untilMs }: WaitsForRoute): string {
  const parts = sums.map(({ network, amount }) => `${dollars(amount)} on ${networkTitle(network, null)}`).join(' and ');
  const given = (view.destinations ?? []).map(({ network }) => networkTitle(network, null)).join(' and ');
  return `It was sent as ${parts}, and your address is on ${given}. We cannot bring it over right now, and do so by ourselves as soon as we can. If nothing changes, it goes back to its sender on ${formatDay(new Date(untilMs))}.`;
}

function progressOf({ status, transactionHashes, waitsForRoute }: ClaimView): { title: string; state: StepState }[] {
  const isWaiting = waitsForRoute !== null;
  const isPaid = status === 'paid';
  const isSent = !isWaiting && (isPaid || transactionHashes.length > 0);
  return [
    { title: 'Proven', state: 'done' },
    { title: isWaiting ? 'Waiting' : 'Sent', state: isSent ? 'done' : 'now' },
    { title: 'Arrived', state: isPaid ? 'done' : isSent ? 'now' : 'later' },
  ];
}

function whatNow(view: ClaimView, isPlayMoney: boolean): Html {
  if (!('keep' in view.payout)) return addresses(view.destinations ?? []);
  if (view.status !== 'paid' || isNothing(view)) return html``;
  return html`<p class="actions">
        ${isPlayMoney ? html`<a class="button" id="send-on" href="/chat">Send it on</a>` : ''}
        <a class="button quiet" id="withdraw" href="/wallet">Withdraw</a>
      </p>`;
}

function links(receipts: readonly ReceiptView[]): Html {
  return html`<h2>Receipts</h2>
      <div class="receipt-links">${receipts.map(
        ({ receiptUrl, amount }) =>
          html`<a href="${receiptUrl.slice(receiptUrl.indexOf('/receipts/'))}">The receipt for ${dollars(amount)}</a>`,
      )}</div>`;
}

function updates(): Html {
  return html`<p class="live-note needs-script" id="live-note">This page follows the payment by itself.</p>
      <noscript><p class="live-note">This page loads itself again by itself until the money has arrived.</p></noscript>`;
}
