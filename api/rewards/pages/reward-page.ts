import { html } from 'hono/html';
import type { FrozenShare } from '../../../core/rewards/distribution.ts';
import { distributionPage, type PaidLine } from '../../../core/rewards/distribution-answer.ts';
import { formatUsdcForPeople } from '../../../core/money.ts';
import { networkTitle, transactionUrl } from '../../../core/networks.ts';
import type { Html } from '../../../web/html.ts';
import type { Page } from '../../../web/page.ts';
import { toShownText } from '../../receipts/strangers-text.ts';
import type { ReceiptPlace } from '../../receipts/view.ts';
import type { Language } from '../../../core/languages.ts';
import { RECEIPT_PAGES } from '../../../texts/receipt-page/languages.ts';
import { REWARD_PAGES } from '../../../texts/reward-page/languages.ts';
import { PAGE_FRAMES } from '../../../texts/page-frame/languages.ts';
import { sentence } from '../../../web/components/sentence.ts';
import { time as timeElement } from '../../../web/components/time.ts';
import type { ShownDistribution } from '../read.ts';
import { explain, percentOf, reasonOf, ruleOf, stateOf, titleOf } from '../../../texts/reward-page/words.ts';
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
export function rewardPage(shown: ShownDistribution, place: ReceiptPlace, language: Language): Page {
  const words = REWARD_PAGES[language];
  const { distribution } = shown;
  const isFinished = isOver(shown);
  const version = versionOf(shown, place.baseUrl);
  const [top, rest] = [distribution.shares.slice(0, TOP), distribution.shares.slice(TOP)];
  return {
    title: titleOf(shown, language),
    description: `${stateOf(shown, language)}. ${explain(shown, language)}`,
    path: `/rewards/${distribution.id}`,
    refreshSeconds: isFinished ? null : REFRESH_SECONDS,

    main: html`<article class="receipt reward" data-follow data-version="${version}" data-finished="${String(isFinished)}">
      <div class="paper">
        <p class="eyebrow">${words.eyebrow}</p>
        <h1>${amount(shown)} <span class="to">${words.forWhom(words.people(distribution.shares.length))}</span></h1>
        <p class="state" role="status" data-live="state"><strong class="${shown.state === 'completed' ? 'good' : ''}">${stateOf(shown, language)}</strong> <span>${sentence((put) => explain(shown, language, put(time(shown.distribution.expiresAtMs, language))))}</span></p>
        ${post(shown, language)}
        <h2 id="shares-title">${words.whoGets}</h2>
        <p class="hint">${words.by(ruleOf(shown, language))}</p>
        <div data-live="top">${table(top, shown, { caption: words.shares, start: 0, language })}</div>
        ${
          rest.length === 0
            ? ''
            : html`<details class="more"><summary>${words.more(rest.length)}</summary><div data-live="rest">${table(rest, shown, { caption: words.further, start: TOP, language })}</div></details>`
        }
        ${leftOut(shown, language)}
        <h2 id="details-title">${words.details}</h2>
        <dl data-live="details">${details(shown, place, language)}</dl>
        <p class="actions"><a class="button quiet small" href="${distributionPage('', distribution.id)}/shares.csv" download>${words.csv}</a></p>
      </div>
      <div class="tear"></div>
      <p class="visually-hidden" role="status" id="announcer"></p>
      ${isFinished ? '' : updates(language)}
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
function post({ distribution }: ShownDistribution, language: Language): Html {
  const words = REWARD_PAGES[language];
  const { excerpt, authorName, postUrl, publishedAtMs } = distribution;
  const text = toShownText(excerpt, EXCERPT_CHARACTERS_MAX);
  const author = authorName === null ? html`${words.somebody}` : html`<bdi class="recipient">@${authorName}</bdi>`;
  return html`<figure class="note"><figcaption>${sentence((put) => words.what(put(author), put(time(publishedAtMs, language))))}</figcaption>
      ${text === null ? '' : html`<blockquote><p dir="auto">${text}</p></blockquote>`}
      <p><a href="${postUrl}" rel="noopener noreferrer nofollow">${words.read}</a></p></figure>`;
}

type TableFacts = { caption: string; start: number; language: Language };

function table(
  shares: readonly FrozenShare[],
  shown: ShownDistribution,
  { caption, start, language }: TableFacts,
): Html {
  const words = REWARD_PAGES[language];
  const { lines, distribution } = shown;
  const largest = distribution.shares[0]?.weightMillionths ?? 1;
  return html`<table class="shares"><caption class="visually-hidden">${caption}</caption>
      <thead><tr><th scope="col">${words.who}</th><th scope="col" class="right">${words.share}</th>${lines === null ? '' : html`<th scope="col">${words.state}</th>`}</tr></thead>
      <tbody>${shares.map((share, index) => row(share, { rank: start + index + 1, largest, line: lines?.[start + index], language }))}</tbody></table>`;
}

type RowFacts = { rank: number; largest: number; line: PaidLine | undefined; language: Language };

/** The bar is as long as its share of the largest; the numbers stand beside it. */
function row(
  { username, amount: sum, weightMillionths }: FrozenShare,
  { rank, largest, line, language }: RowFacts,
): Html {
  const words = REWARD_PAGES[language];
  const width = ((weightMillionths / largest) * 100).toFixed(2);
  return html`<tr><th scope="row"><span class="rank">${rank}.</span> <bdi>@${username}</bdi>
        <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="bar-ground" width="100" height="4"/><rect class="bar-share" width="${width}" height="4"/></svg></th>
      <td class="right"><span class="unbroken">${formatUsdcForPeople(sum)}</span> <span class="aside unbroken">${percentOf(weightMillionths, language)}</span></td>${
        line === undefined
          ? ''
          : html`<td><a href="${new URL(line.receipt).pathname}" aria-label="${words.receiptOf(words.statuses[line.status], `@${username}`)}">${words.statuses[line.status]}</a></td>`
      }</tr>`;
}

function leftOut({ distribution }: ShownDistribution, language: Language): Html {
  const total = distribution.leftOut.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return html``;
  return html`<h2 id="left-out-title">${REWARD_PAGES[language].leftOut(total)}</h2>
      <ul class="reasons" aria-labelledby="left-out-title">${distribution.leftOut.map(
        ({ reason, count }) => html`<li>${reasonOf(reason, language)}: ${count}</li>`,
      )}</ul>`;
}

function details({ distribution, fee, payment }: ShownDistribution, place: ReceiptPlace, language: Language): Html {
  const words = REWARD_PAGES[language];
  return html`
    <div><dt>${words.budget}</dt><dd>${formatUsdcForPeople(distribution.budget)} USDC${
      fee === 0n ? '' : html` <span class="aside">${words.andFee(formatUsdcForPeople(fee))}</span>`
    }</dd></div>
    <div><dt>${words.created}</dt><dd>${time(distribution.createdAtMs, language)}</dd></div>
    ${payment === null ? '' : paid(payment, place, language)}
    <div class="print-only"><dt>${words.thisPage}</dt><dd class="hash">${distributionPage(place.baseUrl, distribution.id)}</dd></div>`;
}

function paid(
  payment: NonNullable<ShownDistribution['payment']>,
  { networks, localMode }: ReceiptPlace,
  language: Language,
): Html {
  const words = REWARD_PAGES[language];
  const caip2 = networks.find(({ network }) => network === payment.network)?.caip2 ?? null;
  const hash = payment.landedTransaction;
  const url = hash === null || localMode ? null : transactionUrl(caip2, hash);
  return html`<div><dt>${words.network}</dt><dd>${networkTitle(payment.network, caip2)}</dd></div>
    ${payment.settledAtMs === null ? '' : html`<div><dt>${words.paid}</dt><dd>${time(payment.settledAtMs, language)}</dd></div>`}
    ${
      hash === null
        ? ''
        : html`<div class="wide"><dt>${words.transaction}</dt><dd><code class="hash">${hash}</code>${
            url === null
              ? ''
              : html` <a id="explorer" href="${url}" rel="noopener noreferrer nofollow">${words.explorer}</a>`
          }</dd></div>`
    }`;
}

function updates(language: Language): Html {
  return html`<p class="live-note needs-script" id="live-note">${PAGE_FRAMES[language].script.following}</p>
      <noscript><p class="live-note">${REWARD_PAGES[language].reloads(REFRESH_SECONDS)}</p></noscript>`;
}

function time(ms: number, language: Language): Html {
  const date = new Date(ms);
  return timeElement(date, RECEIPT_PAGES[language].minute(date));
}
