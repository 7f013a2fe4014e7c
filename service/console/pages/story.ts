import { html } from 'hono/html';
import { receiptUrl } from '../../../core/payments/answers.ts';
import type { LineWithPayout, TransferRow } from '../../../db/payments/records/find.ts';
import type { Story } from '../../../db/stories/story.ts';
import { facts, type Fact } from '../../../web/components/facts.ts';
import type { Html } from '../../../web/html.ts';
import { timeText, usdcText } from '../../operator/text.ts';
import { actionRecord } from './audit.ts';
import { heldForms } from './held-forms.ts';
import { transferText } from './other-story.ts';
import { actionForm, addressCode, moment, searchLink } from './parts.ts';
import type { Visit } from './visit.ts';

const code = (text: string | null): Html | string => (text === null ? 'none' : html`<code>${text}</code>`);

/** Everything about one payment, in the order in which it happens. */
export function storyBody(visit: Visit, story: Story): Html {
  const { lines, refunds, claims, events, screenings, entries, actions, behind } = story;
  const { sight } = visit;
  return html`${paymentCard(story)}
    ${part(
      'What led to it',
      behind.map(({ kind, id }) => html`<p>A ${kind}: ${searchLink(id)}</p>`),
    )}
    ${lines.map((line) => lineCard(visit, line))}
    ${part(
      'Refunds',
      refunds.map(
        ({ refund, payout }) => html`<h3>${usdcText(refund.amountMicroUsdc)} to ${addressCode(refund.payer)}</h3>
          ${facts([
            { label: 'Since', value: moment(refund.createdAtMs) },
            refund.heldReason === null ? null : { label: 'Held', value: refund.heldReason },
            ...payoutFacts(payout),
          ])}${payout === null ? '' : heldForms(visit, payout)}`,
      ),
    )}
    ${part(
      'Claims',
      claims.map(
        ({ claim, txnId }) => html`<h3>${sight.name(claim.platform, claim.key)}, ${claim.status}</h3>
          ${facts([
            { label: 'Claim', value: code(claim.id), isWide: true },
            { label: 'Of', value: `txn_id ${txnId}` },
            { label: 'By', value: claim.method },
            { label: 'Opened', value: moment(claim.createdAtMs) },
            claim.verifiedAtMs === null ? null : { label: 'Proven', value: moment(claim.verifiedAtMs) },
            claim.rejectReason === null ? null : { label: 'Rejected', value: claim.rejectReason },
          ])}`,
      ),
    )}
    ${part(
      'Events to its payer',
      events.map(
        ({ id, type, origin, outcome, nextAtMs, atMs }) => html`<h3>${type}, ${outcome ?? 'under way'}</h3>
          ${facts([
            { label: 'To', value: origin, isWide: true },
            { label: 'Of', value: moment(atMs) },
            nextAtMs === null ? null : { label: 'Next try', value: moment(nextAtMs) },
          ])}
          ${actionForm(visit, { action: 'repeat-event', about: { event: id }, label: 'Tell it once more', what: id })}`,
      ),
    )}
    ${part(
      'Screening',
      screenings.map(
        ({ stage, verdict, source, detail, atMs }) =>
          html`<p>${timeText(atMs)}: ${stage} ${verdict} by ${source}${detail === null ? '' : ` (${sight.words(detail)})`}</p>`,
      ),
    )}
    ${part(
      'Ledger',
      entries.map(
        ({ cause, atMs, postings }) => html`<h3>${cause}</h3><p>${moment(atMs)}</p>
          <ul class="postings">${postings.map(
            ({ account, unit, amount, amountWei }) =>
              html`<li>${account}: ${unit === 'usdc' ? usdcText(amount) : `${unit === 'wei' ? amountWei : amount} ${unit}`}</li>`,
          )}</ul>`,
      ),
    )}
    ${part(
      'Audit',
      actions.map((action) => actionRecord(visit, action)),
    )}`;
}

function part(title: string, items: readonly Html[]): Html | '' {
  if (items.length === 0) return '';
  return html`<section class="paper letter"><h2>${title}</h2>${items}</section>`;
}

function paymentCard({ payment }: Story): Html {
  const { id, network, payer, status, operation, sumMicroUsdc, feeMicroUsdc, rejectReason, delivery } = payment;
  return html`<section class="paper letter"><h2>${usdcText(sumMicroUsdc)} on ${network}, ${status}</h2>
    ${facts([
      { label: 'Payment', value: code(id), isWide: true },
      { label: 'Payer', value: addressCode(payer), isWide: true },
      { label: 'Operation', value: operation },
      { label: 'Fee', value: usdcText(feeMicroUsdc) },
      { label: 'Answer', value: delivery },
      rejectReason === null ? null : { label: 'Rejected', value: rejectReason },
      { label: 'Transaction', value: code(payment.landedTransaction), isWide: true },
      { label: 'Taken', value: moment(payment.createdAtMs) },
      payment.settledAtMs === null ? null : { label: 'Settled', value: moment(payment.settledAtMs) },
    ])}
  </section>`;
}

function lineCard(visit: Visit, { line, payout }: LineWithPayout): Html {
  const { txnId, platform, recipientKey, amountMicroUsdc, status, returnReason, expiresAtMs } = line;
  const slug = visit.sight.receipt(line);
  return html`<section class="paper letter"><h2>${usdcText(amountMicroUsdc)} for ${visit.sight.name(platform, recipientKey)}, ${status}</h2>
    ${facts([
      { label: 'txn_id', value: String(txnId) },
      {
        label: 'Receipt',
        value: html`<a href="${receiptUrl(visit.config.http.baseUrl ?? '', slug)}" rel="noopener">${slug}</a>`,
        isWide: true,
      },
      returnReason === null ? null : { label: 'Goes back', value: returnReason },
      { label: 'Can be collected until', value: moment(expiresAtMs) },
      ...payoutFacts(payout),
    ])}
    ${payout === null ? '' : heldForms(visit, payout)}
  </section>`;
}

function payoutFacts(payout: TransferRow | null): (Fact | null)[] {
  if (payout === null) return [];
  const { id, purpose, heldReason, toAddress, network, landedTransaction } = payout;
  return [
    { label: 'Payout', value: code(id), isWide: true },
    { label: 'Is', value: `${purpose.replace('_', ' ')}, ${transferText(payout)}` },
    heldReason === null ? null : { label: 'Held', value: heldReason },
    { label: `To, on ${network}`, value: addressCode(toAddress), isWide: true },
    { label: 'Its transaction', value: code(landedTransaction), isWide: true },
  ];
}
