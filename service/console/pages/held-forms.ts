import { html } from 'hono/html';
import { BEFORE_BOOKS } from '../../../core/transfers/before-books.ts';
import type { TransferRow } from '../../../db/payments/records/find.ts';
import type { Html } from '../../../web/html.ts';
import { actionForm, tick } from './parts.ts';
import type { Visit } from './visit.ts';

/** Either way for a held payout; what goes back to a payer already, and the operator's own money, can only be let go. */
export function heldForms(
  visit: Visit,
  { id, status, purpose, heldReason }: Pick<TransferRow, 'id' | 'status' | 'purpose' | 'heldReason'>,
): Html | '' {
  if (status !== 'held' || heldReason === BEFORE_BOOKS) return '';
  const release = actionForm(visit, { action: 'release', about: { payout: id }, label: 'Release', what: id });
  if (purpose !== 'payout' || heldReason === 'paid_before') return release;
  const giveBack = actionForm(visit, {
    action: 'give-back',
    about: { payout: id },
    fields: tick('It goes back to its payer, and its recipient does not get it', id),
    label: 'Give back',
    what: id,
  });
  return html`<div class="forms">${release}${giveBack}</div>`;
}
