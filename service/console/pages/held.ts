import { html } from 'hono/html';
import { heldList } from '../../../db/operator/held.ts';
import { unexplainedTransfers } from '../../../db/operator/suspense.ts';
import { facts } from '../../../web/components/facts.ts';
import { lostText } from '../../operator/suspense.ts';
import { usdcText } from '../../operator/text.ts';
import { heldForms } from './held-forms.ts';
import { actionForm, addressCode, moment, more, records, searchLink, tick } from './parts.ts';
import type { Shown, Visit } from './visit.ts';

const SHOWN_MAX = 100;
const OLDEST = `There are more; these are the oldest.`;

export async function showHeld(visit: Visit): Promise<Shown> {
  const held = await heldList(visit.store, SHOWN_MAX + 1);
  const items = held.slice(0, SHOWN_MAX).map(({ payout, platform, key }) => {
    const { id, network, amountMicroUsdc, heldReason, purpose, toAddress, createdAtMs } = payout;
    const whom = platform === null || key === null ? purpose.replace('_', ' ') : visit.sight.name(platform, key);
    return html`<h2>${usdcText(amountMicroUsdc)} on ${network}</h2>
      ${facts([
        { label: 'For', value: whom },
        { label: 'Why', value: heldReason ?? '' },
        { label: 'To', value: addressCode(toAddress), isWide: true },
        { label: 'Payout', value: searchLink(id), isWide: true },
        { label: 'Since', value: moment(createdAtMs) },
      ])}
      ${heldForms(visit, payout)}`;
  });
  return {
    title: 'Held payouts',
    body: html`${records(items, 'Nothing is held.')}${more(held.length > SHOWN_MAX, OLDEST)}`,
  };
}

export async function showSuspense(visit: Visit): Promise<Shown> {
  const found = await unexplainedTransfers(visit.store, SHOWN_MAX + 1);
  const items = found.slice(0, SHOWN_MAX).map(({ transfer, lost }) => {
    const { fact, network, amountMicroUsdc, fromAddress, seenAtMs, consumedBy, transaction } = transfer;
    const state = consumedBy === null ? 'may still be explained' : 'in suspense';
    return html`<h2>${usdcText(amountMicroUsdc)} on ${network}</h2>
      ${facts([
        { label: 'From', value: fromAddress === '' ? 'unknown' : addressCode(fromAddress), isWide: true },
        { label: 'State', value: lostText(lost) ?? state },
        { label: 'Transaction', value: html`<code>${transaction}</code>`, isWide: true },
        { label: 'Seen', value: moment(seenAtMs) },
      ])}
      ${actionForm(visit, {
        action: 'return',
        about: { fact },
        fields: tick('It goes to the address that it came from, also if that is an exchange'),
        label: 'Return',
        what: fact,
      })}`;
  });
  return {
    title: 'Suspense',
    body: html`${records(items, 'Nothing is unexplained.')}${more(found.length > SHOWN_MAX, OLDEST)}`,
  };
}
