import { html } from 'hono/html';
import type { Language } from '../../core/languages.ts';
import { facts } from '../../web/components/facts.ts';
import { alikeAmong, networkChoice } from '../../web/components/network-choice.ts';
import { paragraph } from '../../web/components/paragraph.ts';
import { chosenAmong, sumField } from '../../web/components/sums.ts';
import type { Html } from '../../web/html.ts';
import type { PageSite } from '../shared/page-site.ts';
import type { FormProblem, ShownWallet, WalletPlace } from './shown.ts';

/** `isGuarded`: a passkey of it counts. */
type OpenWallet = Pick<ShownWallet, 'walletId' | 'places'> & { isGuarded: boolean };

/** Together with the fold of deposits the only part that speaks of wallets, addresses and networks: who opens one has one. */
export function takeOutForm(site: PageSite, wallet: OpenWallet, index: number, problem: FormProblem | null): Html {
  const { purse, walletPage: text } = site.texts;
  const { walletId, places, isGuarded } = wallet;
  const choices = [{ value: 'all', label: purse.sumAll }];
  const chosen = chosenAmong(choices, problem?.typed.amount);
  const problemId = problem?.field === 'amount' ? `problem-${index}` : null;
  const input = (field: 'address' | 'amount', hint: string, attributes: Html) => {
    const id = `${field}-${index}`;
    const isTyped = field !== 'amount' || chosen === null;
    const isWrong = problem?.field === field && isTyped;
    return html`<p class="field">
        ${field === 'amount' ? '' : html`<label for="${id}">${text[field]}</label>`}
        <input id="${id}" name="${field}" value="${isTyped ? (problem?.typed[field] ?? '') : ''}" autocomplete="off" autocapitalize="off"
          spellcheck="false" ${attributes} aria-describedby="${id}-hint${isWrong ? ` problem-${index}` : ''}"
          ${isWrong ? html`aria-invalid="true" autofocus` : ''}>
        <span class="hint" id="${id}-hint">${hint}</span>
      </p>`;
  };
  return html`<details class="deed" name="deed-${index}"${problem === null ? '' : html` open`}>
      <summary class="button wide quiet" id="take-out-${index}">${purse.takeOut}</summary>
      <form method="post" action="/purse/review" aria-labelledby="take-out-${index} wallet-${index}">
        ${problem === null ? '' : html`<p class="alert" role="alert" id="problem-${index}">${paragraph(problem.problem)}</p>`}
        <p>${purse.takeOutIntro(anyOf(places, site.reader.language))} ${purse.takeOutCost}</p>
        <p class="hint">${purse.takeOutWait(isGuarded)}</p>
        <input type="hidden" name="wallet" value="${walletId}" />
        ${input('address', text.addressHint, html`required maxlength="100"`)}
        ${networkField(text.network, places, problem)}
        ${sumField({ label: text.amount, other: purse.sumOther, choices, chosen, problemId }, input('amount', text.amountHint, html`aria-label="${text.amount}" maxlength="30" inputmode="text"`))}
        <button type="submit" class="button">${text.next}</button>
      </form>
    </details>
    <p class="hint">${purse.takeOutFree(isGuarded)}</p>`;
}

/** Where money from elsewhere can be sent to, and how much is at each place. */
export function depositFold(site: PageSite, { places }: Pick<ShownWallet, 'places'>): Html {
  const text = site.texts.walletPage;
  return html`<details>
      <summary>${text.depositTitle}</summary>
      <p>${site.isPlayMoney ? text.receivePlay : text.receiveIntro}</p>
      <ul class="balances">${places.map(({ amount, place }) => html`<li>${amount === null ? text.balanceUnknown(place) : text.balance(amount, place)}</li>`)}</ul>
      ${facts(places.map(({ place, address }) => ({ label: place, value: html`<code>${address}</code>`, isWide: true })))}
    </details>`;
}

const anyOf = (places: readonly WalletPlace[], language: Language) =>
  new Intl.ListFormat(language, { type: 'disjunction' }).format(places.map(({ place }) => place));

/** The form of an address says its network, unless several share that form. */
function networkField(legend: string, places: readonly WalletPlace[], problem: FormProblem | null): Html | '' {
  const [first, ...others] = alikeAmong(places);
  if (first === undefined) return '';
  const fullest = others.reduce((most, one) => ((one.amount ?? -1n) > (most.amount ?? -1n) ? one : most), first);
  return networkChoice({ legend, choices: [first, ...others], chosen: problem?.typed.network ?? fullest.network });
}
