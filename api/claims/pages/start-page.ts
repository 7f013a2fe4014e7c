import { html } from 'hono/html';
import { groupBy } from '../../../core/collections/group-by.ts';
import type { Language } from '../../../core/languages.ts';
import { microUsdc } from '../../../core/money.ts';
import { familyOf, NETWORKS } from '../../../core/networks.ts';
import { claimMethodOf, platformRow } from '../../../core/platforms/platforms.ts';
import type { Recipient } from '../../../core/platforms/recipient.ts';
import { CLAIM_PAGES } from '../../../texts/claim-pages/languages.ts';
import { personName } from '../../../texts/names/person.ts';
import { stateOf } from '../../../texts/receipt-page/letter.ts';
import { SIGN_IN } from '../../../texts/sign-in/languages.ts';
import { formatDuration } from '../../../texts/rules/duration.ts';
import { alert, invalid } from '../../../web/components/alert.ts';
import { dollars } from '../../../web/components/money.ts';
import { alikeAmong, networkChoice } from '../../../web/components/network-choice.ts';
import { breakable } from '../../../web/components/person.ts';
import { sentence } from '../../../web/components/sentence.ts';
import type { Html } from '../../../web/html.ts';
import type { Page } from '../../../web/page.ts';
import { deadline, type Reading } from '../../receipts/pages/deadline.ts';
import { greeting, note } from '../../receipts/pages/receipt-page.ts';
import type { ReceiptView } from '../../receipts/view.ts';
import { isAbout, canKeep, canSignIn, type PageContext, type Problem } from '../offers/page-context.ts';
import { openPath, startPath, stepWords } from './wording.ts';

export type Start = {
  recipient: Recipient;
  /** The receipt that brought the person, when it shows everything. */
  letter: ReceiptView | null;
  receiptSlug: string | null;
  /** From the link of the notice that brought the person. */
  readerToken: string | null;
  /** Where its forms lead when the person came by a mail's link, which has already proven the address. */
  mailPath: string | null;
  problem: Problem | null;
};

/**
 * Where collecting begins. Without a receipt the page does not check whether money waits, so it is the same for every
 * name. With one it shows what the receipt's holder knows already. Keeping the money here takes no technical term.
 */
export function startPage(pageContext: PageContext, start: Start, language: Language): Page {
  const words = CLAIM_PAGES[language];
  const { letter, problem, recipient } = start;
  const waiting = letter?.status === 'pending_claim' ? letter : null;
  const title = words.collectFor(personName(waiting === null ? recipient : waiting.to, language));
  return {
    title: problem === null ? title : words.problem(title),
    description: words.description,
    path: startPath(recipient, null),
    scripts: ['address.js'],
    main: html`<article class="paper letter steps-page" data-step="start">
      <p class="eyebrow">${isOffered(pageContext, start) ? stepWords('choose', { ...start, isProven: start.mailPath !== null }, language) : words.collect}</p>
      ${alert(problem?.text(language) ?? null)}
      ${waiting === null ? blank(pageContext, start, language) : opened(pageContext, waiting, language)}
      ${choices(pageContext, start, language)}
    </article>`,
  };
}

function opened({ now }: PageContext, letter: ReceiptView, language: Language): Html {
  return html`${greeting(letter, language)}
      ${letter.note === null ? '' : note(letter.note, language)}
      <p>${CLAIM_PAGES[language].promise} ${goesBack(letter.expiresAt, { language, nowMs: now() })}</p>`;
}

function goesBack(expiresAt: Date | null, reading: Reading): Html | '' {
  if (expiresAt === null) return '';
  return sentence((put) => CLAIM_PAGES[reading.language].goesBackOn(put(deadline(expiresAt, reading))));
}

function blank({ claimTtlMs }: PageContext, { recipient, letter }: Start, language: Language): Html {
  const words = CLAIM_PAGES[language];
  const name = personName(recipient, language);
  return html`<h1>${sentence((put) => words.moneyFor(put(html`<bdi class="recipient">${breakable(name)}</bdi>`)))}</h1>
      ${claimMethodOf(recipient.platform) === 'chat' ? '' : html`<p class="lead">${words.sameForAll(name)}</p>`}
      ${letter === null ? '' : stateOfReceipt(letter, language)}
      <p>${words.promise} ${words.notCollected(formatDuration(claimTtlMs, language))}</p>`;
}

function stateOfReceipt(letter: ReceiptView, language: Language): Html {
  const words = CLAIM_PAGES[language];
  const link = html`<a href="/receipts/${slugOf(letter)}">${words.receiptYouCameFrom}</a>`;
  return html`<p class="state"><strong>${stateOf(letter, language)}</strong> <span>${sentence((put) => words.stateOfReceipt(put(link)))}</span></p>`;
}

function slugOf({ receiptUrl }: ReceiptView): string {
  return receiptUrl.slice(receiptUrl.lastIndexOf('/') + 1);
}

function isOffered({ offers }: PageContext, { recipient }: Start): boolean {
  return offers.platforms.includes(recipient.platform);
}

function choices(pageContext: PageContext, start: Start, language: Language): Html {
  const words = CLAIM_PAGES[language];
  const { platform } = start.recipient;
  if (!isOffered(pageContext, start)) {
    return html`<p class="state"><strong>${words.notOffered}</strong> <span>${words.notOfferedNote}</span></p>`;
  }
  const method = claimMethodOf(platform);
  const { title } = platformRow(platform);
  const howToProve = words.howToProve[method]({ title, person: personName(start.recipient, language) });
  if (method === 'chat') return html`<p class="state"><strong>${howToProve}</strong></p>`;
  const proves = html`<p class="hint">${start.mailPath === null ? howToProve : words.mailProves}</p>`;
  return html`<h2>${words.whereTo}</h2>
      <div class="choices">
        ${canKeep(pageContext, platform) ? html`${keep(pageContext, start, language)}${proves}` : ''}
        ${address(pageContext, start, language)}
        ${decline(start, language)}
        ${canSignIn(pageContext, platform) ? signIn(start, language) : ''}
      </div>
      ${canKeep(pageContext, platform) ? '' : proves}`;
}

/** The chat in which kept money is sent on exists with play money only. */
function keep({ site, offers }: PageContext, start: Start, language: Language): Html {
  const words = CLAIM_PAGES[language];
  const most = offers.purseMaxMicroUsdc;
  const limit = most === null ? '' : words.keepMost(dollars(microUsdc(most)));
  return html`<form class="primary" method="post" action="${actionOf(start)}">
          ${hidden(start, 'keep')}
          <button class="button wide" id="keep" aria-describedby="keep-hint">${words.keep}</button>
        </form>
        <p class="hint" id="keep-hint">${(site.isPlayMoney ? words.keepHintPlay : words.keepHint)(site.operator.name)} ${limit}</p>`;
}

type Offered = PageContext['offers']['networks'][number];

/** One field: the form of an address says its network. The network that the money of the receipt is on comes first. */
function address({ offers }: PageContext, start: Start, language: Language): Html {
  const words = CLAIM_PAGES[language];
  const { letter, problem } = start;
  const networks = offers.networks.toSorted(
    (a, b) => Number(b.network === letter?.network) - Number(a.network === letter?.network),
  );
  if (networks.length === 0) return html``;
  const alike = alikeAmong(networks).map(({ network, title }) => ({ network, place: title }));
  const isOpen = problem?.typed['choice'] === 'address';
  return html`<details${isOpen ? html` open` : ''}>
          <summary>${words.haveAddress}</summary>
          <form method="post" action="${actionOf(start)}">
            ${hidden(start, 'address')}
            ${input(networks, problem, language)}
            ${networkChoice({ legend: words.whichNetwork, choices: alike, chosen: problem?.typed['network'] ?? alike[0]?.network })}
            <button class="button quiet">${words.sendThere}</button>
            <p class="hint">${words.copyAddress}</p>
          </form>
        </details>`;
}

function input(networks: readonly Offered[], problem: Problem | null, language: Language): Html {
  const { yourAddress, addressHint } = CLAIM_PAGES[language];
  const places = new Intl.ListFormat(language, { type: 'disjunction' }).format(networks.map(({ title }) => title));
  // What the chain refuses is named after its network, as programs give it.
  const isWrong = ['address', ...NETWORKS].some((name) => isAbout(problem, name));
  // A page that was loaded before has a field for each network.
  const typed = ['address', ...NETWORKS].map((name) => problem?.typed[name] ?? '').find((text) => text !== '') ?? '';
  return html`<div class="field">
              <label for="address">${yourAddress}</label>
              <input id="address" name="address" value="${typed}" maxlength="100" autocomplete="off" autocapitalize="off" spellcheck="false"${invalid(isWrong, 'address-hint')}>
              <span class="hint" id="address-hint">${addressHint(places)}</span>
              ${walletButtons(networks, language)}
            </div>`;
}

/** A place for those of each kind of wallet. One wallet may be of both, so its buttons name the networks then. */
function walletButtons(networks: readonly Offered[], language: Language): Html {
  const { use, asks, refused, filled } = CLAIM_PAGES[language].wallet;
  const families = [...groupBy(networks, ({ network }) => familyOf(network))];
  return html`${families.map(([family, its]) => {
    const titles = its.map(({ title }) => title).join(', ');
    const label = families.length === 1 ? use : use.replace('{wallet}', `{wallet} (${titles})`);
    return html`<div class="needs-script" data-wallets="${family}" data-use="${label}" data-asks="${asks}" data-refused="${refused}" data-filled="${filled}"><p class="actions"></p><p class="hint" role="status"></p></div>`;
  })}`;
}

function decline(start: Start, language: Language): Html {
  return html`<form method="post" action="${actionOf(start)}">
          ${hidden(start, 'decline')}
          <button class="button link">${CLAIM_PAGES[language].dontWant}</button>
        </form>`;
}

/** For people who have collected before, in another browser. */
function signIn(start: Start, language: Language): Html {
  return html`<form method="post" action="${actionOf(start)}">
          ${hidden(start, 'open')}
          <button class="button link" id="open">${SIGN_IN[language].title}</button>
        </form>`;
}

function actionOf({ mailPath, receiptSlug, readerToken }: Start): string {
  return mailPath ?? openPath(receiptSlug, readerToken);
}

function hidden({ recipient, receiptSlug, readerToken }: Start, choice: string): Html {
  return html`<input type="hidden" name="platform" value="${recipient.platform}">
          <input type="hidden" name="handle" value="${recipient.key}">
          <input type="hidden" name="choice" value="${choice}">
          ${receiptSlug === null ? '' : html`<input type="hidden" name="receipt" value="${receiptSlug}">`}
          ${readerToken === null ? '' : html`<input type="hidden" name="reader" value="${readerToken}">`}`;
}
