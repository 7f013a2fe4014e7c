import { html } from 'hono/html';
import { familyOf } from '../../../core/networks.ts';
import { claimMethodOf } from '../../../core/platforms/platforms.ts';
import type { Recipient } from '../../../core/platforms/recipient.ts';
import { formatDuration } from '../../../texts/rules/duration.ts';
import type { Html } from '../../../web/html.ts';
import type { Page } from '../../../web/page.ts';
import { note, sender } from '../../receipts/pages/receipt-page.ts';
import type { ReceiptView } from '../../receipts/view.ts';
import { formatDay, stateOf } from '../../../texts/receipt-page/en.ts';
import { alert, invalid } from '../../../web/components/alert.ts';
import { isAbout, canKeep, toPage, type PageContext, type Problem } from '../offers/page-context.ts';
import { largeAmount } from '../../../web/components/money.ts';
import { person } from '../../../web/components/person.ts';
import { personName } from '../../../core/platforms/person-name.ts';
import { howToProve, openPath } from './wording.ts';

export type Start = {
  recipient: Recipient;
  /** The receipt that brought the person, when it shows everything. */
  letter: ReceiptView | null;
  receiptSlug: string | null;
  /** Of the notice that brought the person. */
  readerToken: string | null;
  /** Where its forms lead when a mail's link led here, which has proven the address already. */
  mailPath: string | null;
  problem: Problem | null;
};

const PROMISE = 'It costs nothing. We never ask for a card, a password or secret words.';

/**
 * Where collecting begins. Without a receipt the page does not check whether money waits, so it is the same for every
 * name. With one it shows what the receipt's holder knows already. Keeping the money here takes no technical term.
 */
export function startPage(pageContext: PageContext, start: Start): Page {
  const name = personName(start.recipient);
  const { letter, problem } = start;
  const waiting = letter?.status === 'pending_claim' ? letter : null;
  return toPage({
    title: `${problem === null ? '' : 'Problem: '}Collect money sent to ${waiting === null ? name : waiting.person}`,
    description: 'Collect money that was sent to a name of yours. It costs nothing.',
    scripts: ['page.js', 'address.js'],
    main: html`<article class="paper letter steps-page" data-step="start">
      <p class="eyebrow">Collect</p>
      ${alert(problem?.text ?? null)}
      ${waiting === null ? blank(pageContext, name, letter) : greeting(waiting)}
      ${choices(pageContext, start, name)}
    </article>`,
  });
}

function greeting(letter: ReceiptView): Html {
  const until = letter.expiresAt === null ? '' : ` Do nothing, and it goes back on ${formatDay(letter.expiresAt)}.`;
  return html`<p class="from">From ${sender(letter)}</p>
      <h1>${largeAmount(letter.amount)} <span class="to">for ${person(letter.to)}</span></h1>
      ${letter.note === null ? '' : note(letter.note)}
      <p>${PROMISE}${until}</p>`;
}

function blank({ claimTtlMs }: PageContext, name: string, letter: ReceiptView | null): Html {
  return html`<h1>Money for <bdi class="recipient">${name}</bdi></h1>
      <p class="lead">Money may be waiting for ${name}. Only whoever proves to be ${name} is told; for everybody’s privacy this page is the same for every name.</p>
      ${letter === null ? '' : html`<p class="state"><strong>${stateOf(letter)}</strong> <span>That is the state of the money on the <a href="/receipts/${slugOf(letter)}">receipt you came from</a>. More may be waiting.</span></p>`}
      <p>${PROMISE} What nobody collects goes back after ${formatDuration(claimTtlMs)}.</p>`;
}

function slugOf({ receiptUrl }: ReceiptView): string {
  return receiptUrl.slice(receiptUrl.lastIndexOf('/') + 1);
}

function choices(pageContext: PageContext, start: Start, name: string): Html {
  const { platform } = start.recipient;
  if (!pageContext.offers.platforms.includes(platform)) {
    return html`<p class="state"><strong>Names like this one cannot be collected for on this installation.</strong> <span>Nothing is lost: what nobody collects goes back to whoever sent it.</span></p>`;
  }
  if (claimMethodOf(platform) === 'chat') {
    return html`<p class="state"><strong>${howToProve(platform, name)}</strong></p>`;
  }
  return html`<h2>Where shall it go?</h2>
      <div class="choices">
        ${canKeep(pageContext, platform) ? keep(start, pageContext.site.isPlayMoney) : ''}
        ${address(pageContext, start)}
        ${decline(start)}
      </div>
      <p class="hint">${start.mailPath === null ? howToProve(platform, name) : 'The link in the mail shows that it is you: you see the sum next, and confirm.'}</p>`;
}

/** The chat in which kept money is sent on exists with play money only. */
function keep(start: Start, isPlayMoney: boolean): Html {
  return html`<form class="primary" method="post" action="${actionOf(start)}">
          ${hidden(start, 'keep')}
          <button class="button wide" id="keep" aria-describedby="keep-hint">Keep it here</button>
        </form>
        <p class="hint" id="keep-hint">We keep it for you; you can ${isPlayMoney ? 'send it on or ' : ''}withdraw it any time. It is in USDC, a digital dollar.</p>`;
}

function address({ offers }: PageContext, start: Start): Html {
  const { letter, problem } = start;
  const [first, ...others] = offers.networks.toSorted(
    (a, b) => Number(b.network === letter?.network) - Number(a.network === letter?.network),
  );
  if (first === undefined) return html``;
  const isOpen = problem?.typed['choice'] === 'address';
  return html`<details${isOpen ? html` open` : ''}>
          <summary>I have an address</summary>
          <form method="post" action="${actionOf(start)}">
            ${hidden(start, 'address')}
            ${input(first, problem)}
            ${others.map((other) => another(other, problem))}
            <button class="button quiet">Send it there</button>
            <p class="hint">What has gone there cannot be called back, so copy the address rather than typing it.</p>
          </form>
        </details>`;
}

type Offered = PageContext['offers']['networks'][number];

function another(offered: Offered, problem: Problem | null): Html {
  const isOpen = (problem?.typed[offered.network] ?? '') !== '';
  return html`<details${isOpen ? html` open` : ''}>
              <summary>Other network: ${offered.title}</summary>
              ${input(offered, problem)}
            </details>`;
}

function input({ network, title }: Offered, problem: Problem | null): Html {
  return html`<div class="field">
              <label for="${network}">Your address on ${title}</label>
              <input id="${network}" name="${network}" value="${problem?.typed[network] ?? ''}" maxlength="100" autocomplete="off" autocapitalize="off" spellcheck="false"${invalid(isAbout(problem, network))}>
              <div class="needs-script" data-wallets="${familyOf(network)}" data-use="Use {wallet}" data-asks="Your wallet asks you now." data-refused="Your wallet gave no address. Paste it instead." data-filled="This is the address of your wallet."><p class="actions"></p><p class="hint" role="status"></p></div>
            </div>`;
}

function decline(start: Start): Html {
  return html`<form method="post" action="${actionOf(start)}">
          ${hidden(start, 'decline')}
          <button class="button link">I don’t want it</button>
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
