import { html } from 'hono/html';
import { claimMethodOf, platformRow, type Platform } from '../../../core/platforms/platforms.ts';
import type { Html } from '../../../web/html.ts';
import type { Page } from '../../../web/page.ts';
import { sender } from '../../receipts/pages/receipt-page.ts';
import type { ReceiptView } from '../../receipts/view.ts';
import { alert, invalid } from '../../../web/components/alert.ts';
import { isAbout, toPage, type Problem } from '../offers/page-context.ts';
import { dollars } from '../../../web/components/money.ts';

export type NameQuestion = {
  platform: Platform;
  letter: ReceiptView | null;
  receiptSlug: string | null;
  problem: Problem | null;
};

/** Some links must not contain the name, such as an e-mail address, so the visitor types it. */
export function namePage({ platform, letter, receiptSlug, problem }: NameQuestion): Page {
  const { title, example, nameIsCalled: what = `name on ${title}` } = platformRow(platform);
  const isEmail = claimMethodOf(platform) === 'email';
  const waiting = letter?.status === 'pending_claim' ? letter : null;
  return toPage({
    title: `${problem === null ? '' : 'Problem: '}Collect money sent to your ${what}`,
    description: 'Collect money that was sent to a name of yours. It costs nothing.',
    main: html`<article class="paper letter steps-page" data-step="name">
      <p class="eyebrow">Collect</p>
      ${alert(problem?.text ?? null)}
      <h1>${waiting === null ? html`Money for your ${unbroken(what)}` : html`<span class="amount">${dollars(waiting.amount)}</span>`}</h1>
      <p class="lead">${waiting === null ? html`Money may be waiting for you.` : html`Sent by ${sender(waiting)} to <bdi class="recipient">${waiting.recipient.slice(platform.length + 1)}</bdi>.`}</p>
      <form method="get" action="/claim/${platform}">
        ${receiptSlug === null ? '' : html`<input type="hidden" name="receipt" value="${receiptSlug}">`}
        <div class="field">
          <label for="handle">Your ${unbroken(what)}</label>
          <input id="handle" name="handle" value="${problem?.typed['handle'] ?? ''}" placeholder="${example}" maxlength="512" required autocapitalize="off" spellcheck="false" autocomplete="${isEmail ? 'email' : 'off'}" inputmode="${isEmail ? 'email' : 'text'}"${invalid(isAbout(problem, 'handle'))}>
        </div>
        <button class="button">Continue</button>
      </form>
    </article>`,
  });
}

function unbroken(what: string): Html {
  return html`<span class="unbroken">${what}</span>`;
}
