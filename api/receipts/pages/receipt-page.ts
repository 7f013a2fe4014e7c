import { html } from 'hono/html';
import { versionOf } from '../answer.ts';
import { PREVIEW_SIZE } from '../preview-svg.ts';
import type { ReceiptView } from '../view.ts';
import {
  certaintyOf,
  formatMinute,
  formatShortDay,
  nextOf,
  receiptPageEn as words,
  stateOf,
  stepsOf,
  titleOf,
} from '../../../texts/receipt-page/en.ts';
import { copyButton } from '../../../web/components/copy.ts';
import { factLines } from '../../../web/components/facts.ts';
import { largeAmount } from '../../../web/components/money.ts';
import { person } from '../../../web/components/person.ts';
import { share } from '../../../web/components/share.ts';
import { steps } from '../../../web/components/steps.ts';
import { time } from '../../../web/components/time.ts';
import type { Html } from '../../../web/html.ts';
import type { Page } from '../../../web/page.ts';
import { stamp } from './stamp.ts';

/** Without script the page asks again this often while something can still change. */
const REFRESH_SECONDS = 20;

/**
 * The letter: who sent how much and why, one button, and how far it has come. What a program or an auditor wants is
 * folded. Parts marked `data-live` can change: the script replaces them with the same parts of this page, fetched again,
 * so that every word has its one place here.
 */
export function receiptPage(view: ReceiptView): Page {
  return {
    title: titleOf(view),
    description: `${stateOf(view)}. ${nextOf(view)}`,
    preview: {
      pageUrl: view.receiptUrl,
      // Caches keep pictures by address: another state is another picture.
      imageUrl: `${view.receiptUrl}/preview.png?v=${versionOf(view)}`,
      ...PREVIEW_SIZE,
    },
    refreshSeconds: view.isFinished ? null : REFRESH_SECONDS,
    scripts: ['page.js'],
    main: html`<article class="receipt" data-follow data-version="${versionOf(view)}" data-finished="${String(view.isFinished)}">
      <div class="paper letter">
        <div class="receipt-head">
          <div>
            <p class="from">${words.from} ${sender(view)}</p>
            <h1>${largeAmount(view.amount)} <span class="to">${words.to} ${person(view.to)}</span></h1>
          </div>
          <div data-live="stamp">${stamp(postmarkOf(view))}</div>
        </div>
        ${view.note === null ? '' : note(view.note)}
        <div class="primary" data-live="collect">${collect(view)}</div>
        <p class="state" role="status" data-live="state"><strong id="next-title" tabindex="-1" class="${view.status === 'paid' ? 'good' : ''}">${stateOf(view)}</strong> <span>${nextOf(view)}</span></p>
        <div data-live="steps">${steps(words.steps, stepsOf(view))}</div>
        ${view.claimPath === null ? '' : html`<h2>${words.passOn}</h2>${share(view.receiptUrl, words.share)}`}
        <details id="proof"><summary>${words.proof}</summary><dl class="facts" data-live="details">${proof(view)}</dl></details>
      </div>
      <div class="tear"></div>
      <p class="visually-hidden" role="status" id="announcer"></p>
      ${view.isFinished ? '' : updates()}
    </article>`,
  };
}

/** Only on money that has arrived for good. */
function postmarkOf({ finality, status, settledAt }: ReceiptView): { day: string } | null {
  if (finality !== 'final' || status !== 'paid') return null;
  return { day: settledAt === null ? '' : formatShortDay(settledAt) };
}

function collect({ claimPath, waitsForRoute }: ReceiptView): Html {
  if (claimPath === null) return html``;
  return html`<p class="actions"><a class="button wide" id="collect" href="${claimPath}">${waitsForRoute ? words.collectAgain : words.collect}</a></p>`;
}

export function note(text: string): Html {
  return html`<figure class="note"><figcaption class="visually-hidden">${words.note}</figcaption><blockquote><p dir="auto">${text}</p></blockquote></figure>`;
}

function proof(view: ReceiptView): Html {
  const { settledAt, transaction } = view;
  return html`${factLines([
    { label: words.state, value: certaintyOf(view) },
    { label: words.recipient, value: html`<code>${view.recipient}</code>` },
    { label: words.network, value: view.networkName },
    { label: words.sent, value: time(view.createdAt, formatMinute(view.createdAt)) },
    settledAt === null ? null : { label: words.settled, value: time(settledAt, formatMinute(settledAt)) },
    { label: words.number, value: html`<span class="number">${String(view.txnId)}</span>` },
    transaction === null
      ? null
      : { label: words.transaction, value: transactionOf(transaction, view.transactionUrl), isWide: true },
    { label: words.thisReceipt, value: html`<span class="hash">${view.receiptUrl}</span>`, isWide: true },
  ])}`;
}

/** The sender, as far as we know it. */
export function sender({ senderName, isSenderKnown }: Pick<ReceiptView, 'senderName' | 'isSenderKnown'>): Html {
  if (senderName === null) return html`${words.someone}`;
  if (isSenderKnown) return html`<bdi>${senderName}</bdi>`;
  return html`${words.someoneCalled} <span class="claimed-name">“<bdi>${senderName}</bdi>”</span>`;
}

function transactionOf(hash: string, url: string | null): Html {
  const copied = { done: words.transactionCopied, id: 'copy-transaction', describedBy: 'transaction' };
  return html`<code class="hash" id="transaction">${hash}</code>
        <span class="actions">${copyButton({ text: hash, label: words.copy, ...copied })}${
          url === null
            ? ''
            : html` <a id="explorer" href="${url}" rel="noopener noreferrer nofollow">${words.seeOnChain}</a>`
        }</span>`;
}

/** One of the two is shown. The script writes the state of its connection into the first. */
function updates(): Html {
  return html`<p class="live-note needs-script" id="live-note">${words.follows}</p>
      <noscript><p class="live-note">${words.reloads(REFRESH_SECONDS)}</p></noscript>`;
}
