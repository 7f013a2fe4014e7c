import { html } from 'hono/html';
import type { Language } from '../../core/languages.ts';
import { familyOf, networkTitle, type Network } from '../../core/networks.ts';
import { copyable, copyButton } from '../../web/components/copy.ts';
import { qrFigure } from '../../web/components/qr-figure.ts';
import { time } from '../../web/components/time.ts';
import type { Html } from '../../web/html.ts';
import type { Page } from '../../web/page.ts';
import type { PageSite } from '../shared/page-site.ts';
import { namedPerson } from '../../texts/names/person.ts';
import type { ReaderBrowser, WalletApp } from '../../web/browser.ts';
import { refusalText } from './refusal-text.ts';
import type { PayView, Receiver, Transfer } from './view.ts';

export type PayPlace = {
  browser: ReaderBrowser;
  apps: readonly WalletApp[];
  url: string;
  networks: readonly Network[];
  nowMs: number;
};
type Words = PageSite['texts']['payPage'];

/** The page of a link. Its script replaces what stands in `#pay` whenever `data-version` differs. */
export function payPage(site: PageSite, found: PayView, place: PayPlace): Page {
  const text = site.texts.payPage;
  const view = named(found, site.reader.language);
  const version = [view.state, view.transfers === null ? '' : 'transfers', view.refusal ?? ''].join(':');
  const title = titleOf(text, view);
  return {
    title: `${title} ${text.forWhom(view.recipient)}`,
    description: summaryOf(text, view),
    path: new URL(place.url).pathname,
    scripts: ['pay.js'],
    // Without script it closes itself too.
    refreshSeconds: view.state === 'open' ? Math.ceil(leftMs(view, place) / 1_000) + 1 : null,
    main: html`<h1>${title} <span class="whom">${text.forWhom(view.recipient)}</span></h1>
      <p id="said" class="alert" role="alert">${view.refusal === null ? '' : refusalText(site, view.refusal, view)}</p>
      <div id="pay" tabindex="-1" data-version="${version}" data-state="${view.state}" data-url="${place.url}" data-networks="${JSON.stringify(place.networks.map(describeNetwork))}" data-words="${JSON.stringify(wordsOf(text))}">
        ${whom(text, view)}
        ${body(site, view, place)}
      </div>
      <p id="standing" class="visually-hidden" role="status"></p>
      <p id="announcer" class="visually-hidden" role="status"></p>`,
  };
}

function titleOf(text: Words, { state, total }: PayView): string {
  switch (state) {
    case 'paid':
      return text.titlePaid(total);
    case 'expired':
      return text.titleClosed(total);
    case 'open':
    case 'waiting':
    case 'paying':
      return text.title(total);
  }
}

function leftMs({ untilMs }: PayView, { nowMs }: PayPlace): number {
  return Math.max(0, untilMs - nowMs);
}

/** Where a link to the page is previewed: what it is about, as long as that holds. */
function summaryOf(text: Words, { state, recipient, rewardFor }: PayView): string {
  const isOrder = rewardFor === null;
  switch (state) {
    case 'open':
      return isOrder ? text.ourAddress(recipient) : text.rewardAddress(recipient);
    case 'waiting':
      return text.notConfirmedNote;
    case 'paying':
      return isOrder ? text.payingNote : text.beingPaidNote;
    case 'paid':
      return text.paidNote(recipient);
    case 'expired':
      return isOrder ? text.expiredNote : text.rewardOverNote;
  }
}

/** People are called here as on every other page. */
function named(view: PayView, language: Language): PayView {
  const { recipient, rewardFor, receivers } = view;
  return {
    ...view,
    recipient: namedPerson(recipient, language),
    rewardFor: rewardFor === null ? null : namedPerson(rewardFor, language),
    receivers: receivers.map((one) => ({ ...one, name: namedPerson(one.name, language) })),
  };
}

/** What the script has to know of a network, to offer the wallets of its family for it. */
function describeNetwork(name: Network) {
  return { name, family: familyOf(name), title: networkTitle(name, null) };
}

function body(site: PageSite, view: PayView, place: PayPlace): Html {
  const text = site.texts.payPage;
  switch (view.state) {
    case 'open':
      return open(site, view, place);
    case 'waiting':
      return html`<section class="paper letter">
        <h2>${text.notConfirmed}</h2>
        <p>${text.notConfirmedNote}</p>
        ${refresh(text)}
      </section>`;
    case 'paying':
      return view.rewardFor === null
        ? html`<section class="paper letter"><h2>${text.paying}</h2><p>${text.payingNote}</p>${refresh(text)}</section>`
        : html`<section class="paper letter"><h2>${text.beingPaid}</h2><p>${text.beingPaidNote}</p>${refresh(text)}</section>`;
    case 'paid':
      return html`<section class="paper letter">
        <h2>${text.paid}</h2>
        <p>${text.paidNote(view.recipient)}</p>
        ${view.receivers.map((one) => receipt(text, one, view.receivers.length > 1))}
      </section>`;
    case 'expired':
      return closed(text, view);
  }
}

/** No way of paying is left, and what can be done instead is said. */
function closed(text: Words, { rewardFor }: PayView): Html {
  const [heading, note, instead] =
    rewardFor === null
      ? [text.expired, text.expiredNote, text.expiredInstead]
      : [text.rewardOver, text.rewardOverNote, text.rewardOverInstead];
  return html`<section class="paper letter"><h2>${heading}</h2><p>${note}</p><p>${instead}</p></section>`;
}

function whom(
  text: Words,
  { receivers, moreReceivers, detailsUrl, note, fee, recipient, state, rewardFor }: PayView,
): Html {
  return html`${rewardFor === null ? '' : html`<p>${text.reward(rewardFor)}</p>`}
    ${
      state === 'expired'
        ? ''
        : html`<ul class="whom-list">
      ${receivers.map(({ name, amount }) => html`<li>${text.gets(name, amount)}</li>`)}
      ${moreReceivers > 0 ? html`<li>${text.more(moreReceivers)}</li>` : ''}
      ${fee > 0n ? html`<li>${text.fee(fee)}</li>` : ''}
    </ul>`
    }
    ${detailsUrl === null ? '' : html`<p><a href="${detailsUrl}">${text.details}</a></p>`}
    ${note === null ? '' : html`<blockquote class="note">${note}</blockquote>`}
    ${state === 'open' ? html`<p class="hint">${rewardFor === null ? text.ourAddress(recipient) : text.rewardAddress(recipient)}</p>` : ''}`;
}

/**
 * What works in every browser comes first: play money, or a transfer from another app. The script moves the wallets of this
 * browser up where it finds one. When the time is over it leaves `#closed` alone, also where our server cannot be reached.
 */
function open(site: PageSite, view: PayView, place: PayPlace): Html {
  const text = site.texts.payPage;
  const mayTransfer = view.transfers?.length !== 0;
  const transfer = mayTransfer ? transferCard(site, view, place) : '';
  const [first, last] = site.isPlayMoney
    ? [playCard(text, place), transfer]
    : [transfer, walletCard(text, place, mayTransfer)];
  const until = new Date(view.untilMs).toISOString();
  return html`<p class="until">${text.until} ${time(new Date(view.untilMs), `${view.rewardFor === null ? '' : `${until.slice(0, 10)} `}${until.slice(11, 16)} UTC`)}<span class="left" data-left="${leftMs(view, place)}" data-label="${text.timeLeft}"></span></p>
    ${first}
    ${inApp(text, place, first === '')}
    ${last}
    ${site.isPlayMoney || !mayTransfer ? '' : newcomer(site, place)}
    <div id="closed" data-title="${text.titleClosed(view.total)}" hidden>${closed(text, view)}</div>`;
}

function inApp(text: Words, { browser, url }: PayPlace, isFirst: boolean): Html {
  if (!browser.isInApp) return html``;
  const { browserUrl } = browser;
  return html`<section class="paper letter" aria-labelledby="in-app">
    <h2 id="in-app">${text.openBrowser}</h2>
    <p>${text.inApp}</p>
    ${browserUrl === null ? '' : html`<p${isFirst ? html` class="primary"` : ''}><a class="button${isFirst ? '' : ' quiet'}" href="${browserUrl}" rel="noopener">${text.openBrowser}</a></p>`}
    <p>${text.copyLink}</p>
    ${copyable(url, text.copy)}
  </section>`;
}

/** For a first-time payer: what USDC needs. We do not say where to buy it. */
function newcomer({ texts, reader }: PageSite, { networks }: PayPlace): Html {
  const text = texts.payPage;
  const places = new Intl.ListFormat(reader.language, { type: 'disjunction' }).format(
    networks.map((network) => networkTitle(network, null)),
  );
  return html`<section class="paper letter" aria-labelledby="newcomer">
    <h2 id="newcomer">${text.newcomer}</h2>
    <p>${text.newcomerNote(places)}</p>
  </section>`;
}

/** The buttons are the script's: only it can find wallets. */
function walletCard(text: Words, { apps, browser }: PayPlace, mayTransfer: boolean): Html {
  const shown = browser.isInApp || browser.isPhone ? apps : [];
  return html`<section class="paper letter" aria-labelledby="with-wallet">
    <h2 id="with-wallet">${text.withWallet}</h2>
    <p>${text.walletIntro}</p>
    <div class="ways-to-pay" id="wallets"></div>
    <p id="no-wallet">${mayTransfer ? text.noWallet : text.onlyWallet}</p>
    ${shown.length === 0 ? '' : html`<div class="actions">${shown.map(({ name, url }) => html`<a class="button quiet" href="${url}" rel="noopener">${text.openIn(name)}</a>`)}</div>`}
  </section>`;
}

function playCard(text: Words, { url }: PayPlace): Html {
  return html`<section class="paper letter" aria-labelledby="with-wallet">
    <h2 id="with-wallet">${text.playWallet}</h2>
    <p>${text.playIntro}</p>
    <form method="post" action="${new URL(url).pathname}/play"><button class="button wide" type="submit">${text.payPlay}</button></form>
  </section>`;
}

/** Its button is the page's filled one, unless another comes first; the script takes that from it where it finds a wallet. */
function transferCard({ texts, isPlayMoney }: PageSite, { transfers }: PayView, { url }: PayPlace): Html {
  const text = texts.payPage;
  return html`<section class="paper letter" aria-labelledby="any-app">
    <h2 id="any-app">${text.anyApp}</h2>
    <p>${text.anyAppIntro}</p>
    ${
      transfers === null
        ? html`<form method="post" action="${new URL(url).pathname}/transfer"><button class="button ${isPlayMoney ? 'quiet' : 'wide'}" id="show-address" type="submit">${text.showAddress}</button></form>`
        : html`<p class="hint">${text.exactly}</p>
            <p class="hint">${text.onlyUsdc}</p>
            ${transfers.map((one, index) => transferPart(text, one, index === 0))}
            <p class="hint">${text.arrives}</p>
            ${refresh(text)}`
    }
  </section>`;
}

function transferPart(text: Words, { place, address, amountText, code }: Transfer, isOpen: boolean): Html {
  return html`<details ${isOpen ? 'open' : ''}>
    <summary>${text.on(place)}</summary>
    <p class="hint">${text.amount}</p>
    <p class="copyable"><span class="exact">${amountText}</span> ${copyButton({ text: amountText, label: text.copy, what: amountText })}</p>
    <p class="hint">${text.address}</p>
    ${copyable(address, text.copy)}
    ${qrFigure(code.text, code.isPayment ? text.qrPayment(place) : text.qrCode(place))}
  </details>`;
}

function receipt(text: Words, { name, receiptUrl }: Receiver, isOneOfSeveral: boolean): Html {
  if (receiptUrl === null) return html``;
  const label = isOneOfSeveral ? text.receiptOf(name) : text.receipt;
  return html`<p class="actions"><a class="button" href="${receiptUrl}">${label}</a></p>`;
}

function refresh(text: Words): Html {
  return html`<noscript><p>${text.refresh}</p></noscript>`;
}

/** What the script says; `{wallet}` is what a wallet calls itself. */
function wordsOf(text: Words): Record<string, string> {
  const { walletAsks, walletRefused, otherChain } = text;
  return {
    payWith: text.payWith('{wallet}'),
    walletAsks,
    walletRefused,
    otherChain,
    other: text.refused.other,
  };
}
