import { html } from 'hono/html';
import type { Language } from '../../../core/languages.ts';
import { findPassing } from '../../../core/payments/passing-reasons.ts';
import { CLAIM_PAGES } from '../../../texts/claim-pages/languages.ts';
import { letterStateOf, type LetterState } from '../../../texts/receipt-page/facts.ts';
import { RECEIPT_PAGES } from '../../../texts/receipt-page/languages.ts';
import { certaintyOf, nextOf, stateOf, stepsOf, titleOf } from '../../../texts/receipt-page/letter.ts';
import { REPORTS } from '../../../texts/reports/languages.ts';
import { TAKE_BACK } from '../../../texts/take-back/languages.ts';
import { TRUST } from '../../../texts/trust/languages.ts';
import { copyButton } from '../../../web/components/copy.ts';
import { factLines, facts } from '../../../web/components/facts.ts';
import { largeAmount } from '../../../web/components/money.ts';
import { person } from '../../../web/components/person.ts';
import { printButton } from '../../../web/components/print.ts';
import { sentence } from '../../../web/components/sentence.ts';
import { share } from '../../../web/components/share.ts';
import { steps } from '../../../web/components/steps.ts';
import { time } from '../../../web/components/time.ts';
import type { Html } from '../../../web/html.ts';
import type { Operator, Page } from '../../../web/page.ts';
import { versionOf } from '../answer.ts';
import { PREVIEW_SIZE } from '../preview-svg.ts';
import { canTakeBack, isPostmarked, type ReceiptView } from '../view.ts';
import { deadline, type Reading } from './deadline.ts';
import { stamp } from './stamp.ts';

/** Without script the page asks again this often while something can still change. */
const REFRESH_SECONDS = 20;

/** How a state is marked: only what went wrong, or well, or has to be looked at, has a colour of its own. */
const MARKS: Partial<Record<LetterState, string>> = {
  received: 'good',
  undone: 'bad',
  held: 'care',
  waitingForRoute: 'care',
};

/**
 * The letter: who sent how much and why, one button, and how far it has come. What a program or an auditor wants is
 * folded. Parts marked `data-live` can change: the script replaces them with the same parts of this page, fetched again,
 * so that every word has its one place here.
 */
export function receiptPage(view: ReceiptView, operator: Operator, reading: Reading): Page {
  const { language } = reading;
  const words = RECEIPT_PAGES[language];
  return {
    title: titleOf(view, language),
    description: `${stateOf(view, language)}${words.stop}${nextOf(view, language)}`,
    preview: {
      pageUrl: view.receiptUrl,
      // Caches keep pictures by address: another state is another picture.
      imageUrl: `${view.receiptUrl}/preview.png?v=${versionOf(view)}`,
      ...PREVIEW_SIZE,
    },
    refreshSeconds: view.isFinished ? null : REFRESH_SECONDS,

    main: html`<article class="receipt" data-follow data-version="${versionOf(view)}" data-finished="${String(view.isFinished)}">
      <div class="paper letter">
        <div class="receipt-head">
          <div>
            ${greeting(view, language)}
          </div>
          <div data-live="stamp">${stamp(postmarkOf(view, language))}</div>
        </div>
        ${view.note === null ? '' : note(view.note, language)}
        <div class="primary" data-live="collect">${collect(view, language)}</div>
        <p class="hint" data-live="promise">${view.claimPath === null ? '' : `${CLAIM_PAGES[language].promise}${words.between}`}${words.money}</p>
        <p class="state" role="status" data-live="state"><strong id="next-title" tabindex="-1" class="${MARKS[letterStateOf(view)] ?? ''}">${stateOf(view, language)}</strong> <span>${whatIsNext(view, reading)}${keeper(view, operator.name, language)}${contact(view, operator, language)}</span></p>
        <div data-live="steps">${steps(words.steps, stepsOf(view, language), words.stepStates)}</div>
        ${facts(
          [
            { label: words.sent, value: time(view.createdAt, words.minute(view.createdAt)) },
            { label: words.number, value: html`<span class="number">${String(view.txnId)}</span>` },
          ],
          { short: true },
        )}
        <p class="actions">${printButton(language)}</p>
        <p class="links"><a class="standing-link" href="/real">${TRUST[language].links.real}</a>
          <a class="standing-link" id="report" href="${below(view)}/report">${REPORTS[language].link}</a></p>
        <details id="proof"><summary>${words.proof}</summary><dl class="facts" data-live="details">${proof(view, language)}</dl></details>
        ${forSender(view, language)}
      </div>
      <div class="tear"></div>
      <p class="visually-hidden" role="status" id="announcer"></p>
      ${view.isFinished ? '' : updates(language)}
    </article>`,
  };
}

/** Who sent how much to whom, at the head of a letter. */
export function greeting(view: ReceiptView, language: Language): Html {
  const { from, forWhom } = RECEIPT_PAGES[language];
  return html`<p class="from">${sentence((put) => from(put(sender(view, language))))}</p>
            <h1>${largeAmount(view.amount)} <span class="to">${sentence((put) => forWhom(put(person(view.to, language))))}</span></h1>`;
}

/** The path of the page, from whichever of its two addresses the receipt was opened. */
function below({ receiptUrl }: ReceiptView): string {
  return new URL(receiptUrl).pathname;
}

function postmarkOf(view: ReceiptView, language: Language): { word: string; day: string } | null {
  if (!isPostmarked(view)) return null;
  const { settledAt } = view;
  const { postmark: word, shortDay } = RECEIPT_PAGES[language];
  return { word, day: settledAt === null ? '' : shortDay(settledAt).toUpperCase() };
}

function collect({ claimPath, waitsForRoute }: ReceiptView, language: Language): Html {
  if (claimPath === null) return html``;
  const words = RECEIPT_PAGES[language];
  return html`<p class="actions"><a class="button wide" id="collect" href="${claimPath}">${waitsForRoute ? words.collectAgain : words.collect}</a></p>`;
}

/**
 * For the giver alone, so it is folded, behind everything that the recipient comes for. What can still change is a part
 * inside, so that what is unfolded stays so; while it is empty the whole is not shown.
 */
function forSender(view: ReceiptView, language: Language): Html | '' {
  const words = RECEIPT_PAGES[language];
  const { claimPath, isFinished, receiptUrl } = view;
  if (claimPath === null && isFinished) return '';
  return html`<details class="for-screen" id="sender"><summary>${words.forSender}</summary>
          ${claimPath === null ? '' : html`<p>${words.passOn}</p>${share(receiptUrl, words.share)}`}
          <p class="links" data-live="take-back">${takeBack(view, language)}</p>
        </details>`;
}

function takeBack(view: ReceiptView, language: Language): Html | '' {
  if (!canTakeBack(view)) return '';
  return html`<a class="standing-link" id="take-back" href="${below(view)}/take-back">${TAKE_BACK[language].link}</a>`;
}

export function note(text: string, language: Language): Html {
  return html`<figure class="note"><figcaption class="visually-hidden">${RECEIPT_PAGES[language].note}</figcaption><blockquote><p dir="auto">${text}</p></blockquote></figure>`;
}

/** Who has it while it waits. */
function keeper({ claimPath, expiresAt }: ReceiptView, operatorName: string, language: Language): string {
  if (claimPath === null || expiresAt === null) return '';
  const { between, keptBy } = RECEIPT_PAGES[language];
  return `${between}${keptBy(operatorName)}`;
}

/** Whom to ask about money that only the operator can let go on; nothing where they gave no address. */
function contact(view: ReceiptView, { name, supportUrl }: Operator, language: Language): Html | '' {
  if (letterStateOf(view) !== 'held' || findPassing(view.heldReason) !== null || supportUrl === '') return '';
  const { between, askOperator } = RECEIPT_PAGES[language];
  return html`${between}<a id="ask" href="${supportUrl}" rel="noopener">${askOperator(name)}</a>`;
}

function whatIsNext(view: ReceiptView, reading: Reading): Html {
  const { language } = reading;
  const { expiresAt } = view;
  if (expiresAt === null) return html`${nextOf(view, language)}`;
  return sentence((put) => nextOf(view, language, put(deadline(expiresAt, reading))));
}

function proof(view: ReceiptView, language: Language): Html {
  const { settledAt, transaction } = view;
  const words = RECEIPT_PAGES[language];
  return html`${factLines([
    { label: words.state, value: certaintyOf(view, language) },
    { label: words.recipient, value: html`<code>${view.recipient}</code>` },
    { label: words.network, value: view.networkName },
    settledAt === null ? null : { label: words.settled, value: time(settledAt, words.minute(settledAt)) },
    transaction === null
      ? null
      : { label: words.transaction, value: transactionOf(transaction, view.transactionUrl, language), isWide: true },
    { label: words.thisReceipt, value: html`<span class="hash">${view.receiptUrl}</span>`, isWide: true },
  ])}`;
}

/** The sender, as far as we know it, for a place in a sentence. */
export function sender(
  { senderName, isSenderKnown }: Pick<ReceiptView, 'senderName' | 'isSenderKnown'>,
  language: Language,
): Html {
  const { someone, someoneCalled } = RECEIPT_PAGES[language];
  if (senderName === null) return html`${someone}`;
  const name = html`<bdi>${senderName}</bdi>`;
  if (isSenderKnown) return name;
  return sentence((put) => someoneCalled(put(html`<span class="claimed-name">${name}</span>`)));
}

function transactionOf(hash: string, url: string | null, language: Language): Html {
  const words = RECEIPT_PAGES[language];
  const copied = { done: words.transactionCopied, id: 'copy-transaction', describedBy: 'transaction' };
  return html`<code class="hash" id="transaction">${hash}</code>
        <span class="actions">${copyButton({ text: hash, label: words.copy, ...copied })}${
          url === null
            ? ''
            : html` <a id="explorer" href="${url}" rel="noopener noreferrer nofollow">${words.seeOnChain}</a>`
        }</span>`;
}

/** One of the two is shown. The script writes the state of its connection into the first. */
function updates(language: Language): Html {
  const { follows, reloads } = RECEIPT_PAGES[language];
  return html`<p class="live-note needs-script" id="live-note">${follows}</p>
      <noscript><p class="live-note">${reloads(REFRESH_SECONDS)}</p></noscript>`;
}
