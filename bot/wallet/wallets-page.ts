import { html } from 'hono/html';
import { formatUsdcForPeople, microUsdc, type MicroUsdc } from '../../core/money.ts';
import type { Language } from '../../core/languages.ts';
import type { Network } from '../../core/networks.ts';
import type { Paragraph } from '../../core/view.ts';
import type { WithdrawalRow } from '../../db/withdrawals/find.ts';
import type { PersonWallet } from '../shared/wallets.ts';
import { facts } from '../../web/components/facts.ts';
import { paragraph } from '../../web/components/paragraph.ts';
import { time } from '../../web/components/time.ts';
import type { Html } from '../../web/html.ts';
import type { Page } from '../../web/page.ts';
import type { PageSite } from '../shared/page-site.ts';
import { stateOf } from './withdrawal-page.ts';

/** What lies at one of its addresses; `amount` is null when the network does not say. */
export type WalletPlace = { network: Network; place: string; address: string; amount: MicroUsdc | null };
/** `others`: how many browsers and chats beside this one may spend from it; `isFreshlyProven`: so that it can drop them. */
export type ShownWallet = PersonWallet & { places: readonly WalletPlace[]; others: number; isFreshlyProven: boolean };
/** What was typed into the form of one wallet, and why it does not go on. */
export type FormProblem = {
  walletId: string;
  field: 'network' | 'address' | 'amount';
  problem: Paragraph;
  typed: { network: string; address: string; amount: string };
};
export type WalletsView = {
  wallets: readonly ShownWallet[];
  /** Of all that the browser holds; `shown` is the one with those wallets. */
  pages: readonly (readonly PersonWallet[])[];
  shown: number;
  history: readonly WithdrawalRow[];
  problem: FormProblem | null;
};

export function walletsPage(site: PageSite, { wallets, pages, shown, history, problem }: WalletsView): Page {
  const text = site.texts.walletPage;
  return {
    title: problem === null ? text.title : `${text.problemTitle}: ${text.title}`,
    scripts: ['page.js'],
    main: html`<h1>${text.heading}</h1>
      <p class="hint">${text.intro}</p>
      ${wallets.map((wallet, index) => walletCard(site, wallet, index, problem?.walletId === wallet.walletId ? problem : null))}
      ${pages.length === 1 ? '' : pagesNav(text, pages, shown)}
      ${history.length === 0 ? '' : historyOf(site, history)}`,
  };
}

/** To the other pages, by what they show. A link carries their number alone, because an address of a person is in none. */
function pagesNav(text: PageSite['texts']['walletPage'], pages: WalletsView['pages'], shown: number): Html {
  const links = pages.map((page, index) =>
    index === shown ? '' : html`<li><a href="/wallet?page=${index + 1}">${namesOf(text, page)}</a></li>`,
  );
  return html`<nav aria-label="${text.heading}"><ul class="history">${links}</ul></nav>`;
}

function namesOf(text: PageSite['texts']['walletPage'], page: readonly PersonWallet[]): string {
  const kept = page.flatMap(({ name }) => name ?? []);
  const own = kept.length < page.length ? [text.keptAs(null)] : [];
  return [...(kept.length === 0 ? [] : [text.keptAs(kept.join(', '))]), ...own].join(' · ');
}

/** For a browser that nothing is kept for. */
export function emptyPage({ texts, isPlayMoney }: PageSite): Page {
  const text = texts.walletPage;
  return {
    title: text.title,
    main: html`<article class="paper letter">
      <h1>${text.heading}</h1>
      <p>${text.none} ${text.noneWhere} ${isPlayMoney ? text.noneChat : ''}</p>
      <p class="actions"><a class="button" href="${isPlayMoney ? '/chat' : '/'}">${isPlayMoney ? text.openChat : text.home}</a></p>
    </article>`,
  };
}

function walletCard(site: PageSite, wallet: ShownWallet, index: number, problem: FormProblem | null): Html {
  const text = site.texts.walletPage;
  const { name, places } = wallet;
  return html`<section class="paper letter" aria-labelledby="wallet-${index}">
    <h2 id="wallet-${index}">${text.keptAs(name)}</h2>
    <ul class="balances">${places.map(
      ({ amount, place }) =>
        html`<li>${amount === null ? text.balanceUnknown(place) : text.balance(amount, place)}</li>`,
    )}</ul>
    ${sendForm(site, wallet, index, problem)}
    <details>
      <summary>${text.receive}</summary>
      <p>${site.isPlayMoney ? text.receivePlay : text.receiveIntro}</p>
      ${facts(places.map(({ place, address }) => ({ label: place, value: html`<code>${address}</code>` })))}
    </details>
    ${wallet.others === 0 ? '' : othersOf(site, wallet)}
  </section>`;
}

function othersOf({ texts }: PageSite, { walletId, name, others, isFreshlyProven }: ShownWallet): Html {
  const text = texts.walletPage;
  // Names are written `x:alice`; their page asks for the rest, because an address of a person is in no link.
  const [platform = ''] = (name ?? '').split(':');
  return html`<details>
      <summary>${text.others(others)}</summary>
      <p>${text.othersIntro}</p>
      ${
        isFreshlyProven
          ? html`<form method="post" action="/wallet/only">
        <input type="hidden" name="wallet" value="${walletId}" />
        <button type="submit" class="button quiet">${text.onlyHere}</button>
      </form>`
          : html`<p>${text.proveFirst}</p>
      <p class="actions"><a class="button quiet" href="/claim/${encodeURIComponent(platform)}">${text.proveAgain}</a></p>`
      }
    </details>`;
}

function sendForm(site: PageSite, { walletId, places }: ShownWallet, index: number, problem: FormProblem | null): Html {
  const text = site.texts.walletPage;
  const fullest = places.reduce((most, one) => ((one.amount ?? -1n) > (most.amount ?? -1n) ? one : most));
  const chosen = problem?.typed.network ?? fullest.network;
  const input = (field: 'address' | 'amount', hint: string, attributes: Html) => {
    const id = `${field}-${index}`;
    const isWrong = problem?.field === field;
    return html`<p class="field">
        <label for="${id}">${text[field]}</label>
        <input id="${id}" name="${field}" value="${problem?.typed[field] ?? ''}" required autocomplete="off" autocapitalize="off"
          spellcheck="false" ${attributes} aria-describedby="${id}-hint${isWrong ? ` problem-${index}` : ''}"
          ${isWrong ? html`aria-invalid="true" autofocus` : ''}>
        <span class="hint" id="${id}-hint">${hint}</span>
      </p>`;
  };
  return html`<form method="post" action="/wallet/review" aria-labelledby="send-${index}">
      <h3 id="send-${index}">${text.send}</h3>
      ${problem === null ? '' : html`<p class="alert" role="alert" id="problem-${index}">${paragraph(problem.problem)}</p>`}
      <input type="hidden" name="wallet" value="${walletId}" />
      ${networkField(text.network, places, chosen)}
      ${input('address', text.addressHint, html`maxlength="100"`)}
      ${input('amount', text.amountHint, html`maxlength="30" inputmode="text"`)}
      <button type="submit" class="button">${text.next}</button>
    </form>`;
}

/** One network needs no choice. */
function networkField(label: string, places: readonly WalletPlace[], chosen: string): Html {
  const [only, ...others] = places;
  if (only !== undefined && others.length === 0) {
    return html`<input type="hidden" name="network" value="${only.network}" />`;
  }
  return html`<fieldset class="field">
        <legend>${label}</legend>
        ${places.map(
          ({ network, place }) =>
            html`<label class="choice"><input type="radio" name="network" value="${network}" ${network === chosen ? 'checked' : ''} required /> ${place}</label>`,
        )}
      </fieldset>`;
}

function historyOf({ texts, reader }: PageSite, rows: readonly WithdrawalRow[]): Html {
  const text = texts.walletPage;
  return html`<section class="paper letter" aria-labelledby="history">
      <h2 id="history">${text.history}</h2>
      <ul class="history">${rows.map(
        (row) =>
          html`<li><a href="/wallet/withdrawals/${row.id}">${formatUsdcForPeople(microUsdc(row.amountMicroUsdc))} USDC</a>
            <span>${text.states[stateOf(row)]}</span> ${time(new Date(row.createdAtMs), dayOf(reader.language, row.createdAtMs), 'day')}</li>`,
      )}</ul>
    </section>`;
}

function dayOf(language: Language, ms: number): string {
  return new Date(ms).toLocaleDateString(language === 'en' ? 'en-GB' : language, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}
