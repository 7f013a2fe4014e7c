import { html } from 'hono/html';
import { shownAddress } from '../../chain/shown-address.ts';
import { formatUsdcForPeople } from '../../core/money.ts';
import { isPutOff } from '../../core/wallets/withdrawal-wait.ts';
import { waitsForAccountUntil, type WithdrawalRow } from '../../db/withdrawals/find.ts';
import type { WithdrawFacts } from '../../texts/withdrawals/en.ts';
import type { WithdrawDraft } from './withdraw-draft.ts';
import { addressInFours } from '../../web/components/address.ts';
import { facts as factList } from '../../web/components/facts.ts';
import { paragraph } from '../../web/components/paragraph.ts';
import type { Html } from '../../web/html.ts';
import type { Page } from '../../web/page.ts';
import type { PageSite } from '../shared/page-site.ts';
import { withTime } from '../shared/page-times.ts';
import { titleOf } from '../shared/shown-person.ts';

const REFRESH_SECONDS = 3;

export type ShownState = 'waiting' | 'later' | 'sending' | 'paid' | 'failed';

/** As people need to know it: `dead` is signed again by itself, so it is only waiting. */
export function stateOf(row: Pick<WithdrawalRow, 'status' | 'notBeforeMs' | 'createdAtMs'>): ShownState {
  const { status } = row;
  if (status === 'paid' || status === 'failed') return status;
  if (status === 'requested' && isPutOff(row)) return 'later';
  return status === 'signed' || status === 'sent' ? 'sending' : 'waiting';
}

/** `toSign`: what the passkey of the money is asked; `withoutMs`: when it leaves without that, where there is one. */
export type Review = { name: string | null; buttonId: string; toSign: string | null; withoutMs: number | null };

/** Everything that the button does; `buttonId` is all that it carries. */
export function reviewPage(site: PageSite, draft: WithdrawDraft, review: Review): Page {
  const { name } = review;
  const { texts } = site;
  const text = texts.walletPage;
  const { amount, place, address, notBeforeMs } = draft;
  return {
    title: text.reviewTitle,
    ...(review.toSign === null ? {} : { scripts: ['passkey.js'] }),
    main: html`<article class="paper letter">
      <h1>${text.reviewHeading(amount)}</h1>
      ${factList([
        { label: text.reviewAmount, value: `${formatUsdcForPeople(amount)} USDC` },
        { label: text.reviewCost, value: text.reviewNoCost },
        { label: text.reviewFrom, value: titleOf(site, name) },
        { label: text.reviewTo, value: addressInFours(shownAddress(address)), isWide: true },
        { label: text.reviewNetwork, value: place },
      ])}
      <p>${text.reviewWarning}</p>
      ${notBeforeMs === null ? '' : html`<p>${paragraph(texts.withdrawLeaves(new Date(notBeforeMs), false))}</p>`}
      ${confirmForms(site, draft, review)}
      <p class="actions"><a class="button quiet" href="/purse">${texts.purse.back}</a></p>
    </article>`,
  };
}

/** One for the passkey, where the money has one, and one without it. */
function confirmForms(site: PageSite, { amount }: WithdrawDraft, { buttonId, toSign, withoutMs }: Review): Html {
  const { walletPage: text, purse } = site.texts;
  const form = (label: string, kind: string) => html`<form method="post" action="/purse/send" class="row">
        <input type="hidden" name="token" value="${buttonId}" />
        <button type="submit" class="button${kind}">${label}</button>
      </form>`;
  if (withoutMs === null) return form(text.confirm(amount), '');
  const withIt =
    toSign === null
      ? ''
      : html`<form method="post" action="/purse/send" class="row needs-passkey" data-passkey="get" data-options="${toSign}">
        <p class="alert" role="alert" hidden>${purse.passkeyFailed}</p>
        <input type="hidden" name="token" value="${buttonId}" />
        <input type="hidden" name="signed" value="" />
        <button type="submit" class="button">${text.confirm(amount)}</button>
      </form>`;
  return html`${withIt}
      <p>${withTime(site, purse.withoutPasskey, withoutMs)}</p>
      ${form(purse.sendWithout, ' quiet')}`;
}

export type ShownWithdrawal = {
  row: WithdrawalRow;
  facts: WithdrawFacts;
  explorerUrl: string | null;
  /** Of one that has left at once: when its address counts as known, unless a holder calls that off. */
  knownFromMs: number | null;
};

/** How far a withdrawal has come. Parts marked `data-live` are replaced by the script when they have changed. */
export function withdrawalPage({ texts }: PageSite, { row, facts, explorerUrl, knownFromMs }: ShownWithdrawal): Page {
  const text = texts.walletPage;
  const state = stateOf(row);
  // Nobody looks at a page for a day, so one that leaves later does not load itself again either.
  const isStill = state === 'paid' || state === 'failed' || state === 'later';
  return {
    title: `${text.states[state]}: ${text.progressTitle}`,
    ...(isStill ? {} : { refreshSeconds: REFRESH_SECONDS }),
    main: html`<article class="paper letter" data-follow data-poll data-finished="${String(isStill)}">
      <h1>${formatUsdcForPeople(facts.amount)} USDC</h1>
      <p class="state" role="status" data-live="state"><strong class="${state}">${text.states[state]}</strong></p>
      <div data-live="note">${state === 'later' ? laterOf(texts, row, facts) : noteOf(texts, row, { facts, state })}
      ${knownFromMs === null ? '' : freshOf(texts, row, { facts, knownFromMs })}</div>
      ${factList([
        { label: text.toAddress, value: html`<code>${facts.address}</code>`, isWide: true },
        { label: text.reviewNetwork, value: facts.place },
      ])}
      <div data-live="transaction">${transactionOf(text, row, explorerUrl)}</div>
      <p class="actions"><a class="button quiet" href="/purse">${texts.purse.back}</a></p>
    </article>`,
  };
}

function laterOf(texts: PageSite['texts'], row: WithdrawalRow, facts: WithdrawFacts): Html {
  return html`<p>${paragraph(texts.withdrawWaits(facts, new Date(row.notBeforeMs)))}</p>
      ${cancelForm(texts, row)}`;
}

/**
 * A browser gets no notice, so a holder with nothing else finds here how to keep a stranger's address from getting
 * more.
 */
function freshOf(
  texts: PageSite['texts'],
  row: WithdrawalRow,
  { facts, knownFromMs }: { facts: WithdrawFacts; knownFromMs: number },
): Html {
  return html`<p>${paragraph(texts.withdrawBecomesKnown(facts, new Date(knownFromMs)))}</p>
      ${cancelForm(texts, row)}`;
}

/** The form carries only the row's id: its sender has to hold the wallet. */
function cancelForm(texts: PageSite['texts'], { id }: WithdrawalRow): Html {
  return html`<form method="post" action="/purse/cancel" class="row">
        <input type="hidden" name="withdrawal" value="${id}" />
        <button type="submit" class="button quiet">${texts.cancelWithdraw()}</button>
      </form>`;
}

type Text = PageSite['texts']['walletPage'];

function noteOf(
  texts: PageSite['texts'],
  row: WithdrawalRow,
  { facts, state }: { facts: WithdrawFacts; state: ShownState },
): Html | '' {
  const text = texts.walletPage;
  if (state === 'paid') return '';
  if (state === 'failed') return html`<p>${text.failedNote(row.failure)}</p>`;
  const untilMs = waitsForAccountUntil(row);
  if (untilMs !== null) return html`<p>${paragraph(texts.withdrawWaitsForAccount(facts, new Date(untilMs)))}</p>`;
  return html`<p>${text.waitingNote}</p>
      <noscript><p class="hint">${text.refreshNote(REFRESH_SECONDS)}</p></noscript>`;
}

function transactionOf(text: Text, { landedTransaction }: WithdrawalRow, explorerUrl: string | null): Html | '' {
  if (landedTransaction === null) return '';
  const link =
    explorerUrl === null ? '' : html`<p><a href="${explorerUrl}" rel="noopener">${text.seeTransaction}</a></p>`;
  return html`${factList([{ label: text.transaction, value: html`<code>${landedTransaction}</code>`, isWide: true }])}${link}`;
}
