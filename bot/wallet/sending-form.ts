import { html } from 'hono/html';
import { PAYMENT_AMOUNT_MAX } from '../../core/amounts.ts';
import { ZERO_USDC, type MicroUsdc } from '../../core/money.ts';
import { NOTE_CHARACTERS_MAX } from '../../core/grammar/note.ts';
import { platformsWhere } from '../../core/platforms/platforms.ts';
import { platformTitle } from '../../texts/names/platform.ts';
import { paragraph } from '../../web/components/paragraph.ts';
import { chosenAmong, sumField, usualSums } from '../../web/components/sums.ts';
import type { Html } from '../../web/html.ts';
import type { PageSite } from '../shared/page-site.ts';
import type { SendProblem, SendWish, ShownWallet } from './shown.ts';

/** Members of a chat are tipped there: only the chat knows them by name. */
export const SENDABLE = platformsWhere((row) => row.http === 'public');

/** To a name, as a tip in a chat. */
export function sendForm(
  { texts, reader }: PageSite,
  { walletId, places }: ShownWallet,
  index: number,
  { problem, wish }: { problem: SendProblem | null; wish: SendWish | null },
): Html {
  const text = texts.purse;
  const typed = problem?.typed ?? wish;
  const choices = usualSums(most(places));
  const chosen = chosenAmong(choices, typed?.amount);
  const input = (
    field: 'name' | 'amount' | 'note',
    label: string | null,
    more: { hint?: string; attributes: Html },
  ) => {
    const id = `send-${field}-${index}`;
    const isTyped = field !== 'amount' || chosen === null;
    const isWrong = problem?.field === field && isTyped;
    const describedBy = [
      ...(more.hint === undefined ? [] : [`${id}-hint`]),
      ...(isWrong ? [`send-problem-${index}`] : []),
    ];
    return html`<p class="field">
        ${label === null ? '' : html`<label for="${id}">${label}</label>`}
        <input id="${id}" name="${field}" value="${isTyped ? (typed?.[field] ?? '') : ''}" autocomplete="off" ${more.attributes}
          ${describedBy.length === 0 ? '' : html`aria-describedby="${describedBy.join(' ')}"`} ${isWrong ? html`aria-invalid="true" autofocus` : ''}>
        ${more.hint === undefined ? '' : html`<span class="hint" id="${id}-hint">${more.hint}</span>`}
      </p>`;
  };
  const problemId = problem?.field === 'amount' ? `send-problem-${index}` : null;
  const amount = (label: string | null) =>
    input('amount', label, {
      attributes: html`${label === null ? html`aria-label="${text.sendAmount}"` : html`required`} maxlength="30" inputmode="decimal"`,
    });
  return html`<details class="deed" name="deed-${index}"${typed === null ? '' : html` open`}>
      <summary class="button wide" id="pay-${index}">${text.sendTitle}</summary>
      <form method="post" action="/purse/pay" aria-labelledby="pay-${index} wallet-${index}">
      ${problem === null ? '' : html`<p class="alert" role="alert" id="send-problem-${index}">${paragraph(problem.problem)}</p>`}
      <input type="hidden" name="wallet" value="${walletId}" />
      <p class="field">
        <label for="send-platform-${index}">${text.sendPlatform}</label>
        <select id="send-platform-${index}" name="platform">${SENDABLE.map(
          (platform) =>
            html`<option value="${platform}"${platform === typed?.platform ? html` selected` : ''}>${platformTitle(platform, reader.language)}</option>`,
        )}</select>
      </p>
      ${input('name', text.sendName, { hint: text.sendNameHint, attributes: html`required maxlength="320" autocapitalize="off" spellcheck="false"` })}
      ${choices.length === 0 ? amount(text.sendAmount) : sumField({ label: text.sendAmount, other: text.sumOther, choices, chosen, problemId }, amount(null))}
      ${input('note', text.sendNote, { attributes: html`maxlength="${NOTE_CHARACTERS_MAX}"` })}
      <button type="submit" class="button">${text.sendNext}</button>
    </form></details>`;
}

/** What one person can be sent of it. */
function most(places: ShownWallet['places']): MicroUsdc {
  const held = places.map(({ amount }) => amount ?? ZERO_USDC);
  const fullest = held.reduce((found, one) => (one > found ? one : found), ZERO_USDC);
  return fullest < PAYMENT_AMOUNT_MAX ? fullest : PAYMENT_AMOUNT_MAX;
}
