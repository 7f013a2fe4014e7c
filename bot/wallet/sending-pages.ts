import { html } from 'hono/html';
import { microUsdc } from '../../core/money.ts';
import type { Language } from '../../core/languages.ts';
import { personName } from '../../texts/names/person.ts';
import type { Paragraph } from '../../core/view.ts';
import type { OrderRow } from '../../db/tips/orders.ts';
import { facts } from '../../web/components/facts.ts';
import { dollars } from '../../web/components/money.ts';
import { paragraph } from '../../web/components/paragraph.ts';
import type { Html } from '../../web/html.ts';
import type { Page } from '../../web/page.ts';
import type { PageSite } from '../shared/page-site.ts';
import { recipientsOf } from '../tips/order-recipients.ts';
import { wordsOf } from '../tips/order-command.ts';
import { titleOf } from '../shared/shown-person.ts';

const REFRESH_SECONDS = 3;

/** Everything that the button does; the order's id is all that it carries. `toSign`: what the passkey of this money is asked. */
export function sendReviewPage(site: PageSite, order: OrderRow, toSign: string | null): Page {
  const { texts, reader } = site;
  const text = texts.purse;
  const amount = microUsdc(order.amountMicroUsdc);
  const total = microUsdc(order.agreedMicroUsdc ?? order.amountMicroUsdc);
  const { note } = wordsOf(order);
  const title = text.reviewTitle(dollars(amount), nameOf(order, reader.language));
  return {
    title,
    ...(toSign === null ? {} : { scripts: ['passkey.js'] }),
    main: html`<article class="paper letter">
      <h1>${title}</h1>
      ${facts([
        { label: texts.walletPage.reviewFrom, value: titleOf(site, order.walletName) },
        { label: text.amount, value: dollars(amount) },
        { label: text.fee, value: dollars(microUsdc(total - amount)) },
        { label: text.total, value: dollars(total) },
        note === null ? null : { label: text.note, value: html`<bdi>${note}</bdi>` },
      ])}
      ${toSign === null ? '' : html`<p class="needs-passkey">${text.passkeyAsked}</p><p class="without-passkey">${text.passkeyNeeded}</p>`}
      <form method="post" action="/purse/pay/confirm" class="row"${toSign === null ? '' : html` data-passkey="get" data-options="${toSign}"`}>
        <input type="hidden" name="order" value="${order.id}" />
        ${toSign === null ? '' : html`<p class="alert" role="alert" hidden>${text.passkeyFailed}</p><input type="hidden" name="signed" value="" />`}
        <button type="submit" class="button${toSign === null ? '' : ' needs-passkey'}">${text.confirm(dollars(amount))}</button>
        <a class="button quiet" href="/purse">${text.back}</a>
      </form>
    </article>`,
  };
}

/**
 * How far it has come; `end`: why it was not sent, or nothing; `canUndo`: it still waits. Parts marked `data-live` are
 * replaced by the script.
 */
export function sendProgressPage(
  { texts, reader }: PageSite,
  order: OrderRow,
  end: readonly Paragraph[] | null,
  canUndo = false,
): Page {
  const text = texts.purse;
  const state = end === null ? 'going' : endOf(order);
  const sum = dollars(microUsdc(order.amountMicroUsdc));
  return {
    title: `${text.sentStates[state]}: ${text.sentTitle(sum, nameOf(order, reader.language))}`,
    ...(end === null ? { refreshSeconds: REFRESH_SECONDS } : {}),
    main: html`<article class="paper letter" data-follow data-poll data-finished="${String(end !== null)}">
      <h1>${text.sentTitle(sum, nameOf(order, reader.language))}</h1>
      <p class="state" role="status" data-live="state"><strong class="${state === 'sent' ? 'paid' : state === 'undone' ? '' : state}">${text.sentStates[state]}</strong></p>
      <div data-live="note">${end === null ? html`<p>${text.goingNote}</p>` : noteOf(text, order, end)}${canUndo ? undoForm(text, order) : ''}</div>
      <p class="actions"><a class="button quiet" href="/purse">${text.back}</a></p>
    </article>`,
  };
}

function endOf({ status, undoneAtMs }: OrderRow): 'sent' | 'undone' | 'failed' {
  if (status !== 'answered') return 'failed';
  return undoneAtMs === null ? 'sent' : 'undone';
}

/** It goes back to this money alone. */
function undoForm(text: PageSite['texts']['purse'], { id }: OrderRow): Html {
  return html`<form method="post" action="/purse/pay/undo">
        <input type="hidden" name="order" value="${id}" />
        <p>${text.takeBackNote}</p>
        <button type="submit" class="button quiet small">${text.takeBack}</button>
      </form>`;
}

function noteOf(text: PageSite['texts']['purse'], order: OrderRow, why: readonly Paragraph[]): Html {
  const { status, receipt } = order;
  if (status !== 'answered') return html`${why.map((one) => html`<p>${paragraph(one)}</p>`)}`;
  const link =
    receipt === null ? '' : html`<p class="actions"><a class="button" href="${receipt}">${text.openReceipt}</a></p>`;
  return html`<p>${endOf(order) === 'undone' ? text.undoneNote : text.sentNote}</p>${link}`;
}

/** Of one that was erased only what the row still says is known. */
function nameOf(order: OrderRow, language: Language): string {
  const [first] = recipientsOf(order);
  return first === undefined ? order.recipient : personName(first.recipient, language);
}
