import { html } from 'hono/html';
import { formatUsdcForPeople } from '../../../core/money.ts';
import { versionOf } from '../answer.ts';
import { PREVIEW_SIZE } from '../preview-svg.ts';
import type { ReceiptView } from '../view.ts';
import {
  certaintyOf,
  formatMinute,
  formatShortDay,
  nextOf,
  onPlatform,
  stateOf,
  titleOf,
} from '../../../texts/receipt-page/en.ts';
import type { Html, Page } from '../../web/page.ts';
import { stamp } from '../../web/stamp.ts';
import { progressSteps } from '../progress-steps.ts';

/** Without script the page asks again this often while something can still change. */
const REFRESH_SECONDS = 20;

/**
 * The receipt for people. Parts marked `data-live` can change: the script replaces them with the same parts of this
 * page, fetched again, so that every word has its one place here.
 */
export function receiptPage(view: ReceiptView): Page {
  return {
    title: titleOf(view),
    description: `${stateOf(view)}. ${certaintyOf(view)}`,
    isIndexed: false,
    preview: {
      pageUrl: view.receiptUrl,
      // Caches keep pictures by address: another state is another picture.
      imageUrl: `${view.receiptUrl}/preview.png?v=${versionOf(view)}`,
      ...PREVIEW_SIZE,
    },
    isReceipt: true,
    refreshSeconds: view.isFinished ? null : REFRESH_SECONDS,
    hasScript: true,
    main: html`<article class="receipt" data-follow data-version="${versionOf(view)}" data-finished="${String(view.isFinished)}">
      <div class="paper">
        <div class="receipt-head">
          <div>
            <p class="eyebrow">Receipt</p>
            <h1>${amountOf(view)} <span class="to">for ${recipientOf(view)}</span></h1>
          </div>
          <div data-live="stamp">${stamp(postmarkOf(view))}</div>
        </div>
        <p class="state" role="status" data-live="state"><strong class="${view.status === 'paid' ? 'good' : ''}">${stateOf(view)}</strong> <span>${certaintyOf(view)}</span></p>
        <div data-live="steps">${progressSteps(view)}</div>
        <section class="next" data-live="next" aria-labelledby="next-title">${next(view)}</section>
        ${view.note === null ? '' : note(view.note)}
        <h2 id="details-title">Details</h2>
        <dl data-live="details">${details(view)}</dl>
      </div>
      <div class="tear"></div>
      <p class="visually-hidden" role="status" id="announcer"></p>
      ${view.isFinished ? '' : updates()}
    </article>`,
  };
}

function postmarkOf({ finality, settledAt }: ReceiptView): { day: string } | null {
  if (finality !== 'final') return null;
  return { day: settledAt === null ? '' : formatShortDay(settledAt) };
}

/** The CSS class for an amount of at most so many characters. */
const SIZES = [
  [4, ''],
  [5, 'middle'],
  [8, 'long'],
] as const;

/** As large as its length allows on a phone. */
function amountOf({ amount }: ReceiptView): Html {
  const number = formatUsdcForPeople(amount);
  const size = SIZES.find(([digits]) => number.length <= digits)?.[1] ?? 'longer';
  return html`<span class="amount ${size}">${number}<span class="unit"> USDC</span></span>`;
}

/** A long name may break after its platform and inside an address, and nowhere is it mirrored by the text around it. */
function recipientOf({ recipient }: ReceiptView): Html {
  return html`<bdi class="recipient">${recipient}</bdi>`;
}

function next(view: ReceiptView): Html {
  const isDone = view.isFinished && view.status === 'paid';
  return html`<h2 id="next-title" tabindex="-1">${isDone ? 'All done' : 'What happens next'}</h2>
    ${nextOf(view).map((paragraph) => html`<p>${paragraph}</p>`)}
    ${view.claimPath === null ? '' : claim(view.claimPath, view)}`;
}

function claim(path: string, view: ReceiptView): Html {
  return html`<p class="actions">
      <a class="button" id="collect" href="${path}">Collect it</a>
      <button class="button quiet needs-script" type="button" id="copy-link" data-copy="${view.receiptUrl}" data-copied="Link copied">Copy the link</button>
    </p>
    <p class="hint">Is it for you? Collect it here. Did you send it? Send them the link to this page.</p>`;
}

export function note(text: string): Html {
  return html`<figure class="note"><figcaption>Note from the sender</figcaption><blockquote><p dir="auto">${text}</p></blockquote></figure>`;
}

function details(view: ReceiptView): Html {
  return html`
    <div><dt>From</dt><dd>${sender(view)}</dd></div>
    <div><dt>To</dt><dd>${recipientOf(view)} <span class="aside">${onPlatform(view.platform)}</span></dd></div>
    <div><dt>Network</dt><dd>${view.networkName}</dd></div>
    <div><dt>Sent</dt><dd>${time(view.createdAt)}</dd></div>
    ${view.settledAt === null ? '' : html`<div><dt>On the chain</dt><dd>${time(view.settledAt)}</dd></div>`}
    <div><dt>Number</dt><dd class="number">${String(view.txnId)}</dd></div>
    ${view.transaction === null ? '' : transaction(view.transaction, view.transactionUrl)}
    <div class="print-only"><dt>This receipt</dt><dd class="hash">${view.receiptUrl}</dd></div>`;
}

/** The sender, as far as we know it. */
export function sender({ senderName, isSenderKnown }: Pick<ReceiptView, 'senderName' | 'isSenderKnown'>): Html {
  if (senderName === null) return html`somebody`;
  if (isSenderKnown) return html`<bdi>${senderName}</bdi>`;
  return html`someone calling themselves <span class="claimed-name">“<bdi>${senderName}</bdi>”</span>`;
}

function transaction(hash: string, url: string | null): Html {
  return html`<div class="wide"><dt>Transaction</dt>
      <dd><code class="hash" id="transaction">${hash}</code>
        <span class="actions"><button class="button quiet small needs-script" type="button" id="copy-transaction" data-copy="${hash}" data-copied="Transaction copied" aria-describedby="transaction">Copy</button>${
          url === null
            ? ''
            : html` <a id="explorer" href="${url}" rel="noopener noreferrer nofollow">See it on the chain</a>`
        }</span></dd></div>`;
}

/** One of the two is shown. The script writes the state of its connection into the first. */
function updates(): Html {
  return html`<p class="live-note needs-script" id="live-note">This page follows the payment by itself.</p>
      <noscript><p class="live-note">This page loads itself again every ${REFRESH_SECONDS} seconds until the payment is final.</p></noscript>`;
}

function time(date: Date): Html {
  return html`<time datetime="${date.toISOString()}">${formatMinute(date)}</time>`;
}
