import { html } from 'hono/html';
import type { OrderEnd, OtherStory } from '../../../db/stories/other-story.ts';
import { facts, type Fact } from '../../../web/components/facts.ts';
import type { Html } from '../../../web/html.ts';
import { countText, usdcText } from '../../operator/text.ts';
import { actionRecord } from './audit.ts';
import { addressCode, moment, searchLink } from './parts.ts';
import type { Visit } from './visit.ts';

/** Of a payout or a withdrawal. */
export function transferText({ status, generation }: { status: string; generation: number }): string {
  return generation === 0 ? status : `${status}, signed anew ${countText(generation, 'time')}`;
}

type Of<Kind> = Extract<OtherStory, { kind: Kind }>;

/** What is known of a reward, a drop, a bill or a withdrawal, and which payment it led to. */
export function otherStoryBody(visit: Visit, story: OtherStory): Html {
  switch (story.kind) {
    case 'reward':
      return rewardBody(visit, story);
    case 'drop':
      return dropBody(visit, story);
    case 'request':
      return requestBody(visit, story);
    case 'withdrawal':
      return withdrawalBody(visit, story);
  }
}

const card = (title: string, list: readonly (Fact | null)[], more: Html | '' = ''): Html =>
  html`<section class="paper letter"><h2>${title}</h2>${facts(list)}${more}</section>`;

const known = (label: string, value: string | null): Fact | null =>
  value === null ? null : { label, value: html`<code>${value}</code>`, isWide: true };

const place = (label: string, address: string | null): Fact | null =>
  address === null ? null : { label, value: addressCode(address), isWide: true };

const at = (label: string, atMs: number | null): Fact | null => (atMs === null ? null : { label, value: moment(atMs) });

const paidBy = (paymentId: string | null): Fact => ({
  label: 'Payment',
  value: paymentId === null ? 'none' : searchLink(paymentId),
  isWide: true,
});

function orderFacts(order: OrderEnd | null): (Fact | null)[] {
  if (order === null) return [];
  const { id, status, failure, network, paymentId } = order;
  const failed = failure === null ? '' : ` (${failure})`;
  return [known('Order', id), { label: `Order, on ${network}`, value: `${status}${failed}` }, paidBy(paymentId)];
}

/** Who has confirmed, in their order. */
function confirmedBy({ sight }: Visit, rows: readonly { userId: string; confirmedAtMs: number }[]): Fact | null {
  if (rows.length === 0) return null;
  return { label: 'Confirmed by', value: rows.map(({ userId }) => sight.text(userId)).join(', '), isWide: true };
}

function rewardBody(visit: Visit, { distribution, card: shown, confirmations, paymentId }: Of<'reward'>): Html {
  const { id, platform, postUrl, budgetMicroUsdc, shares, createdAtMs, expiresAtMs, rejectedAtMs } = distribution;
  const list = html`<details><summary>${countText(shares.length, 'recipient')}</summary><ul>${shares.map(
    ({ username, amountMicroUsdc }) => html`<li>${platform}:${username}: ${usdcText(BigInt(amountMicroUsdc))}</li>`,
  )}</ul></details>`;
  return html`${card(
    `${usdcText(budgetMicroUsdc)} for a post`,
    [
      known('Reward', id),
      { label: 'Post', value: postUrl, isWide: true },
      paidBy(paymentId),
      at('Previewed', createdAtMs),
      at('Rejected', rejectedAtMs),
      at('Can be paid until', expiresAtMs),
    ],
    list,
  )}
  ${
    shown === null
      ? ''
      : card(`Its card, ${shown.status}`, [
          known('Card', shown.id),
          { label: 'Community', value: `${shown.transport}:${shown.communityId}` },
          { label: 'Proposed by', value: visit.sight.text(shown.proposedBy) },
          confirmedBy(visit, confirmations),
          shown.failure === null ? null : { label: 'Failed', value: shown.failure },
          place('Paid from', shown.payerAddress),
          at('Ended', shown.endedAtMs),
        ])
  }`;
}

function dropBody(visit: Visit, { drop, takers, order }: Of<'drop'>): Html {
  const { id, amountMicroUsdc, status, endReason, transport, communityId, giverId, people, closesAtMs } = drop;
  const list = html`<ol>${takers.map(
    ({ userId, names, isStruck }) =>
      html`<li>${visit.sight.text([userId, ...names].join(', '))}${isStruck ? ' (struck)' : ''}</li>`,
  )}</ol>`;
  return card(
    `A drop of ${usdcText(amountMicroUsdc)}, ${status}`,
    [
      known('Drop', id),
      endReason === null ? null : { label: 'Ended', value: endReason.replace('_', ' ') },
      { label: 'Community', value: `${transport}:${communityId}` },
      { label: 'Given by', value: visit.sight.text(drop.walletId ?? giverId) },
      { label: 'Shares', value: `${takers.length} of ${people}` },
      at('Opened', drop.createdAtMs),
      at('Closes', closesAtMs),
      ...orderFacts(order),
    ],
    takers.length === 0 ? '' : list,
  );
}

function requestBody({ sight }: Visit, { requests }: Of<'request'>): Html {
  return html`${requests.map(({ request, order }) => {
    const { id, amountMicroUsdc, status, askerId, askedId, reason, createdAtMs, endsAtMs } = request;
    return card(`${usdcText(amountMicroUsdc)} asked for, ${status}`, [
      known('Request', id),
      { label: 'By', value: sight.text(askerId) },
      { label: 'Of', value: sight.text(askedId) },
      reason === null ? null : { label: 'What for', value: sight.words(reason), isWide: true },
      at('Asked', createdAtMs),
      at('Until', endsAtMs),
      ...orderFacts(order),
    ]);
  })}`;
}

function withdrawalBody(visit: Visit, story: Of<'withdrawal'>): Html {
  const { proposal, confirmations, withdrawal, transfer, hashes, actions } = story;
  const { sight } = visit;
  return html`${
    proposal === null
      ? ''
      : card(`${usdcText(proposal.amountMicroUsdc)} out of a treasury, ${proposal.status}`, [
          known('Withdrawal', proposal.id),
          { label: 'Treasury', value: proposal.walletId },
          place(`To, on ${proposal.network}`, proposal.toAddress),
          { label: 'Proposed by', value: sight.text(proposal.proposedBy) },
          confirmedBy(visit, confirmations),
          at('Proposed', proposal.createdAtMs),
          at('Ended', proposal.endedAtMs),
        ])
  }
  ${
    withdrawal === null
      ? ''
      : card(
          `${usdcText(withdrawal.amountMicroUsdc)} ${proposal === null ? 'out of a personal wallet' : 'on its way'}, ${withdrawal.status}`,
          [
            known('Withdrawal', withdrawal.id),
            { label: 'Wallet', value: sight.text(withdrawal.walletId), isWide: true },
            place('From', withdrawal.fromAddress),
            place(`To, on ${withdrawal.network}`, withdrawal.toAddress),
            transfer === null ? null : { label: 'Is', value: transferText(transfer) },
            withdrawal.failure === null ? null : { label: 'Failed', value: withdrawal.failure.replaceAll('_', ' ') },
            ...hashes.map((hash) => known('Transaction', hash)),
            at('Asked', withdrawal.createdAtMs),
            at('Not before', withdrawal.notBeforeMs),
            at('Called off', withdrawal.calledOffAtMs),
            at('Ended', withdrawal.endedAtMs),
          ],
        )
  }
  ${actions.length === 0 ? '' : html`<section class="paper letter"><h2>Audit</h2>${actions.map((one) => actionRecord(visit, one))}</section>`}`;
}
