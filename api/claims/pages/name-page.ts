import { html } from 'hono/html';
import type { Language } from '../../../core/languages.ts';
import { claimMethodOf, platformRow, type Platform } from '../../../core/platforms/platforms.ts';
import type { Recipient } from '../../../core/platforms/recipient.ts';
import { CLAIM_PAGES } from '../../../texts/claim-pages/languages.ts';
import { personName } from '../../../texts/names/person.ts';
import { SIGN_IN } from '../../../texts/sign-in/languages.ts';
import { alert, invalid } from '../../../web/components/alert.ts';
import { dollars } from '../../../web/components/money.ts';
import { sentence } from '../../../web/components/sentence.ts';
import type { Html } from '../../../web/html.ts';
import type { Page } from '../../../web/page.ts';
import { sender } from '../../receipts/pages/receipt-page.ts';
import type { ReceiptView } from '../../receipts/view.ts';
import { isAbout, type Problem } from '../offers/page-context.ts';
import { stepWords } from './wording.ts';

export type NameQuestion = {
  platform: Platform;
  letter: ReceiptView | null;
  receiptSlug: string | null;
  problem: Problem | null;
};

/** Some links must not contain the name, such as an e-mail address, so the visitor types it. */
export function namePage({ platform, letter, receiptSlug, problem }: NameQuestion, language: Language): Page {
  const words = CLAIM_PAGES[language];
  const { title } = platformRow(platform);
  const method = claimMethodOf(platform);
  const waiting = letter?.status === 'pending_claim' ? letter : null;
  const heading = words.collectYours(method, title);
  return {
    title: problem === null ? heading : words.problem(heading),
    description: words.description,
    main: html`<article class="paper letter steps-page" data-step="name">
      <p class="eyebrow">${receiptSlug === null ? words.collect : stepWords('name', { recipient: { platform }, receiptSlug }, language)}</p>
      ${alert(problem?.text(language) ?? null)}
      <h1>${waiting === null ? words.nameHeading(method, title) : html`<span class="amount">${dollars(waiting.amount)}</span>`}</h1>
      <p class="lead">${
        waiting === null
          ? words.mayWait
          : sentence((put) =>
              words.sentBy(
                put(sender(waiting, language)),
                put(html`<bdi class="recipient">${waiting.recipient.slice(platform.length + 1)}</bdi>`),
              ),
            )
      }</p>
      <form method="get" action="/claim/${platform}">
        ${receiptSlug === null ? '' : html`<input type="hidden" name="receipt" value="${receiptSlug}">`}
        ${nameField(platform, problem, language)}
        <button class="button">${words.next}</button>
      </form>
    </article>`,
  };
}

/** The same question for a person who comes back to kept money: its form begins the proof at once. */
export function signInPage(platform: Platform, problem: Problem | null, language: Language): Page {
  const words = SIGN_IN[language];
  return {
    title: problem === null ? words.title : CLAIM_PAGES[language].problem(words.title),
    description: words.whatFor,
    main: html`<article class="paper letter steps-page" data-step="name">
      <p class="eyebrow">${words.eyebrow}</p>
      ${alert(problem?.text(language) ?? null)}
      <h1>${words.title}</h1>
      <p class="lead">${words.lead} ${words.whatFor}</p>
      <form method="post" action="/claims">
        <input type="hidden" name="platform" value="${platform}">
        <input type="hidden" name="choice" value="open">
        ${nameField(platform, problem, language)}
        <button class="button wide" id="open">${CLAIM_PAGES[language].next}</button>
      </form>
    </article>`,
  };
}

type FromMail = { recipient: Recipient; path: string; problem: Problem | null };

/** Where the link of a sign-in mail leads: the name is proven, and one press is left. */
export function mailSignInPage({ recipient, path, problem }: FromMail, language: Language): Page {
  const words = SIGN_IN[language];
  const name = personName(recipient, language);
  return {
    title: problem === null ? words.title : CLAIM_PAGES[language].problem(words.title),
    description: words.whatFor,
    main: html`<article class="paper letter steps-page" data-step="start">
      <p class="eyebrow">${words.eyebrow}</p>
      ${alert(problem?.text(language) ?? null)}
      <h1>${words.title}</h1>
      <p class="lead">${sentence((put) => CLAIM_PAGES[language].moneyFor(put(html`<bdi class="recipient">${name}</bdi>`)))}</p>
      <p>${words.whatFor}</p>
      <form method="post" action="${path}">
        <input type="hidden" name="choice" value="open">
        <button class="button wide" id="open">${CLAIM_PAGES[language].next}</button>
      </form>
    </article>`,
  };
}

function nameField(platform: Platform, problem: Problem | null, language: Language): Html {
  const { title, example } = platformRow(platform);
  const method = claimMethodOf(platform);
  const isEmail = method === 'email';
  return html`<div class="field">
          <label for="handle">${CLAIM_PAGES[language].nameLabel(method, title)}</label>
          <input id="handle" name="handle" value="${problem?.typed['handle'] ?? ''}" placeholder="${example}" maxlength="512" required autocapitalize="off" spellcheck="false" autocomplete="${isEmail ? 'email' : 'off'}" inputmode="${isEmail ? 'email' : 'text'}"${invalid(isAbout(problem, 'handle'))}>
        </div>`;
}
