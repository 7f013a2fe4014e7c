import { html } from 'hono/html';
import type { FrozenShare } from '../../../core/rewards/distribution.ts';
import { distributionPage, type PaidLine } from '../../../core/rewards/distribution-answer.ts';
import { formatUsdcForPeople } from '../../../core/money.ts';
import { networkTitle, transactionUrl } from '../../../core/networks.ts';
import type { Html } from '../../../web/html.ts';
import type { Page } from '../../../web/page.ts';
import { toShownText } from '../../receipts/strangers-text.ts';
import type { ReceiptPlace } from '../../receipts/view.ts';
import { receiptPageEn } from '../../../texts/receipt-page/en.ts';
import type { ShownDistribution } from '../read.ts';
import {
  explain,
  peopleOf,
  percentOf,
  reasonOf,
  ruleOf,
  stateOf,
  STATUS_WORDS,
  titleOf,
} from '../../../texts/reward-page/en.ts';
import { versionOf } from './version.ts';

/** Without script the page asks again this often while something can still change. */
const REFRESH_SECONDS = 20;
/** So many are seen at once; the others open. */
const TOP = 10;
const EXCERPT_CHARACTERS_MAX = 280;

/**
 * A reward for people. As on a receipt, parts marked `data-live` can change, and the script takes them from this page,
 * fetched again. It shows only what is public anyway: names, weights and sums, and neither payer nor wallet.
 */
export function rewardPage(shown: ShownDistribution, place: ReceiptPlace): Page {
  const { distribution } = shown;
  const isFinished = isOver(shown);
  const version = versionOf(shown, place.baseUrl);
  const [top, rest] = [distribution.shares.slice(0, TOP), distribution.shares.slice(TOP)];
  return {
    title: titleOf(shown),
    description: `${stateOf(shown)}. ${explain(shown)}`,
    refreshSeconds: isFinished ? null : REFRESH_SECONDS,
    scripts: ['page.js'],
    main: html`<article class="receipt reward" data-follow data-version="${version}" data-finished="${String(isFinished)}">
      <div class="paper">
        <p class="eyebrow">Reward for a post</p>
        <h1>${amount(shown)} <span class="to">for ${peopleOf(distribution.shares.length)}</span></h1>
        <p class="state" role="status" data-live="state"><strong class="${shown.state === 'completed' ? 'good' : ''}">${stateOf(shown)}</strong> <span>${explain(shown)}</span></p>
        ${post(shown)}
        <h2 id="shares-title">Who gets how much</h2>
        <p class="hint">By what each did with the post: ${ruleOf(shown)}, once each.</p>
        <div data-live="top">${table('Shares', top, shown, 0)}</div>
        ${
          rest.length === 0
            ? ''
            : html`<details class="more"><summary>${rest.length} more</summary><div data-live="rest">${table('Further shares', rest, shown, TOP)}</div></details>`
        }
        ${leftOut(shown)}
        <h2 id="details-title">Details</h2>
        <dl data-live="details">${details(shown, place)}</dl>
        <p class="actions"><a class="button quiet small" href="${distributionPage('', distribution.id)}/shares.csv" download>All shares as CSV</a></p>
      </div>
      <div class="tear"></div>
      <p class="visually-hidden" role="status" id="announcer"></p>
      ${isFinished ? '' : updates()}
    </article>`,
  };
}

/** Nothing changes any more without a person acting. */
export function isOver({ state, payment }: ShownDistribution): boolean {
  if (state === 'rejected' || state === 'expired') return true;
  return (state === 'completed' || state === 'partial') && payment?.status === 'final';
}

function amount({ distribution: { budget } }: ShownDistribution): Html {
  return html`<span class="amount long">${formatUsdcForPeople(budget)}<span class="unit"> USDC</span></span>`;
}

/** A stranger's words, marked as such. Links in them are text. */
function post({ distribution }: ShownDistribution): Html {
  const { excerpt, authorName, postUrl, publishedAtMs } = distribution;
  const text = toShownText(excerpt, EXCERPT_CHARACTERS_MAX);
  const author = authorName === null ? html`somebody` : html`<bdi class="recipient">@${authorName}</bdi>`;
  return html`<figure class="note"><figcaption>What it is for: a post by ${author}, ${receiptPageEn.minute(new Date(publishedAtMs))}</figcaption>
      ${text === null ? '' : html`<blockquote><p dir="auto">${text}</p></blockquote>`}
      <p><a href="${postUrl}" rel="noopener noreferrer nofollow">Read the post on Farcaster</a></p></figure>`;
}

function table(caption: string, shares: readonly FrozenShare[], shown: ShownDistribution, start: number): Html {
  const { lines, distribution } = shown;
  const largest = distribution.shares[0]?.weightMillionths ?? 1;
  return html`<table class="shares"><caption class="visually-hidden">${caption}</caption>
      <thead><tr><th scope="col">Who</th><th scope="col" class="right">Share</th>${lines === null ? '' : html`<th scope="col">State</th>`}</tr></thead>
      <tbody>${shares.map((share, index) => row(share, { rank: start + index + 1, largest, line: lines?.[start + index] }))}</tbody></table>`;
}

type RowFacts = { rank: number; largest: number; line: PaidLine | undefined };

/** The bar is as long as its share of the largest; the numbers stand beside it. */
function row({ username, amount: sum, weightMillionths }: FrozenShare, { rank, largest, line }: RowFacts): Html {
  const width = ((weightMillionths / largest) * 100).toFixed(2);
  return html`<tr><th scope="row"><span class="rank">${rank}.</span> <bdi>@${username}</bdi>
        <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="bar-ground" width="100" height="4"/><rect class="bar-share" width="${width}" height="4"/></svg></th>
      <td class="right"><span class="unbroken">${formatUsdcForPeople(sum)}</span> <span class="aside unbroken">${percentOf(weightMillionths)}</span></td>${
        line === undefined
          ? ''
          : html`<td><a href="${new URL(line.receipt).pathname}" aria-label="${STATUS_WORDS[line.status]}: receipt of @${username}">${STATUS_WORDS[line.status]}</a></td>`
      }</tr>`;
}

function leftOut({ distribution }: ShownDistribution): Html {
  const total = distribution.leftOut.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return html``;
  return html`<h2 id="left-out-title">Left out: ${total}</h2>
      <ul class="reasons" aria-labelledby="left-out-title">${distribution.leftOut.map(
        ({ reason, count }) => html`<li>${reasonOf(reason)}: ${count}</li>`,
      )}</ul>`;
}

function details({ distribution, fee, payment }: ShownDistribution, place: ReceiptPlace): Html {
  return html`
    <div><dt>Budget</dt><dd>${formatUsdcForPeople(distribution.budget)} USDC${
      fee === 0n ? '' : html` <span class="aside">and ${formatUsdcForPeople(fee)} USDC fee</span>`
    }</dd></div>
    <div><dt>Created</dt><dd>${time(distribution.createdAtMs)}</dd></div>
    ${payment === null ? '' : paid(payment, place)}
    <div class="print-only"><dt>This page</dt><dd class="hash">${distributionPage(place.baseUrl, distribution.id)}</dd></div>`;
}

function paid(payment: NonNullable<ShownDistribution['payment']>, { networks, localMode }: ReceiptPlace): Html {
  const caip2 = networks.find(({ network }) => network === payment.network)?.caip2 ?? null;
  const hash = payment.landedTransaction;
  const url = hash === null || localMode ? null : transactionUrl(caip2, hash);
  return html`<div><dt>Network</dt><dd>${networkTitle(payment.network, caip2)}</dd></div>
    ${payment.settledAtMs === null ? '' : html`<div><dt>Paid</dt><dd>${time(payment.settledAtMs)}</dd></div>`}
    ${
      hash === null
        ? ''
        : html`<div class="wide"><dt>Transaction</dt><dd><code class="hash">${hash}</code>${
            url === null
              ? ''
              : html` <a id="explorer" href="${url}" rel="noopener noreferrer nofollow">See it on the chain</a>`
          }</dd></div>`
    }`;
}

function updates(): Html {
  return html`<p class="live-note needs-script" id="live-note">This page follows the payment by itself.</p>
      <noscript><p class="live-note">This page loads itself again every ${REFRESH_SECONDS} seconds until everything is final.</p></noscript>`;
}

function time(ms: number): Html {
  const date = new Date(ms);
  return html`<time datetime="${date.toISOString()}">${receiptPageEn.minute(date)}</time>`;
}
