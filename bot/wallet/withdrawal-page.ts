import { html } from 'hono/html';
import { formatUsdcForPeople } from '../../core/money.ts';
import { isPutOff } from '../../core/wallets/withdrawal-wait.ts';
import type { WithdrawalRow } from '../../db/withdrawals/find.ts';
import type { WithdrawFacts } from '../../texts/withdrawals/en.ts';
import type { WithdrawDraft } from '../wallets/withdraw-draft.ts';
import { paragraph, type Html, type Page, type Site } from './layout.ts';

const REFRESH_SECONDS = 3;

export type ShownState = 'waiting' | 'later' | 'sending' | 'paid' | 'failed';

/** As people need to know it: `dead` is signed again by itself, so it is only waiting. */
export function stateOf(row: Pick<WithdrawalRow, 'status' | 'notBeforeMs' | 'createdAtMs'>): ShownState {
  const { status } = row;
  if (status === 'paid' || status === 'failed') return status;
  if (status === 'requested' && isPutOff(row)) return 'later';
  return status === 'signed' || status === 'sent' ? 'sending' : 'waiting';
}

/** Everything that the button does; `buttonId` is all that it carries. */
export function reviewPage({ texts }: Site, draft: WithdrawDraft, name: string | null, buttonId: string): Page {
  const text = texts.walletPage;
  const { amount, place, address, notBeforeMs } = draft;
  return {
    title: text.reviewTitle,
    main: html`<article class="card">
      <h1>${text.reviewHeading(amount)}</h1>
      <dl>
        <dt>${text.reviewFrom}</dt><dd>${text.keptAs(name)}</dd>
        <dt>${text.reviewTo}</dt><dd><code>${address}</code></dd>
        <dt>${text.reviewNetwork}</dt><dd>${place}</dd>
      </dl>
      <p>${text.reviewWarning}</p>
      ${notBeforeMs === null ? '' : html`<p>${paragraph(texts.withdrawLeaves(new Date(notBeforeMs)))}</p>`}
      <form method="post" action="/wallet/send" class="row">
        <input type="hidden" name="token" value="${buttonId}" />
        <button type="submit" class="main">${text.confirm(amount)}</button>
        <a class="action" href="/wallet">${text.back}</a>
      </form>
    </article>`,
  };
}

export type ShownWithdrawal = {
  row: WithdrawalRow;
  facts: WithdrawFacts;
  explorerUrl: string | null;
  /** Of one that has left at once: when its address counts as known, unless a holder calls that off. */
  knownFromMs: number | null;
};

/** How far a withdrawal has come. Parts marked `data-live` are replaced by the script when they have changed. */
export function withdrawalPage({ texts }: Site, { row, facts, explorerUrl, knownFromMs }: ShownWithdrawal): Page {
  const text = texts.walletPage;
  const state = stateOf(row);
  // Nobody looks at a page for a day, so one that leaves later does not load itself again either.
  const isStill = state === 'paid' || state === 'failed' || state === 'later';
  return {
    title: `${text.states[state]}: ${text.progressTitle}`,
    ...(isStill ? {} : { refreshSeconds: REFRESH_SECONDS }),
    main: html`<article class="card" data-finished="${String(isStill)}">
      <h1>${formatUsdcForPeople(facts.amount)} USDC</h1>
      <p class="state" role="status" data-live="state"><strong class="${state}">${text.states[state]}</strong></p>
      <div data-live="note">${state === 'later' ? laterOf(texts, row, facts) : noteOf(text, row, state)}
      ${knownFromMs === null ? '' : freshOf(texts, row, { facts, knownFromMs })}</div>
      <dl>
        <dt>${text.toAddress}</dt><dd><code>${facts.address}</code></dd>
        <dt>${text.reviewNetwork}</dt><dd>${facts.place}</dd>
      </dl>
      <div data-live="transaction">${transactionOf(text, row, explorerUrl)}</div>
      <p><a class="action" href="/wallet">${text.back}</a></p>
    </article>`,
  };
}

function laterOf(texts: Site['texts'], row: WithdrawalRow, facts: WithdrawFacts): Html {
  return html`<p>${paragraph(texts.withdrawWaits(facts, new Date(row.notBeforeMs)))}</p>
      ${cancelForm(texts, row)}`;
}

/**
 * A browser gets no notice, so a holder with nothing else finds here how to keep a stranger's address from getting
 * more.
 */
function freshOf(
  texts: Site['texts'],
  row: WithdrawalRow,
  { facts, knownFromMs }: { facts: WithdrawFacts; knownFromMs: number },
): Html {
  return html`<p>${paragraph(texts.withdrawBecomesKnown(facts, new Date(knownFromMs)))}</p>
      ${cancelForm(texts, row)}`;
}

/** The form carries only the row's id: its sender has to hold the wallet. */
function cancelForm(texts: Site['texts'], { id }: WithdrawalRow): Html {
  return html`<form method="post" action="/wallet/cancel" class="row">
        <input type="hidden" name="withdrawal" value="${id}" />
        <button type="submit">${texts.cancelWithdraw()}</button>
      </form>`;
}

type Text = Site['texts']['walletPage'];

function noteOf(text: Text, { failure }: WithdrawalRow, state: ShownState): Html | '' {
  if (state === 'paid') return '';
  if (state === 'failed') return html`<p>${text.failedNote(failure)}</p>`;
  return html`<p>${text.waitingNote}</p>
      <noscript><p class="muted">${text.refreshNote(REFRESH_SECONDS)}</p></noscript>`;
}

function transactionOf(text: Text, { landedTransaction }: WithdrawalRow, explorerUrl: string | null): Html | '' {
  if (landedTransaction === null) return '';
  const link =
    explorerUrl === null ? '' : html`<p><a href="${explorerUrl}" rel="noopener">${text.seeTransaction}</a></p>`;
  return html`<dl><dt>${text.transaction}</dt><dd><code>${landedTransaction}</code></dd></dl>${link}`;
}
