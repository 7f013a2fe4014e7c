import { html } from 'hono/html';
import { networkTitle } from '../../../core/networks.ts';
import type { Html } from '../../../web/html.ts';
import type { ClaimView } from '../claims.ts';
import { addressesIn } from '../payout.ts';
import { groupsOf, shorten } from './wording.ts';

/** In one sentence, before the proof: the proof then holds for this destination alone. */
export function whereItGoes({ payout }: ClaimView): Html {
  if ('keep' in payout) return html`What waits will stay here for you.`;
  if ('decline' in payout) return html`What waits will go back to whoever sent it.`;
  const given = addressesIn(payout).map(({ address }) => address);
  return html`What waits will go to ${given.map((address, index) => html`${index === 0 ? '' : ' and '}<span class="address-short">${shorten(address)}</span>`)}.`;
}

/** Each address for comparing: its ends at a glance, and the whole of it in fours. */
export function addresses(destinations: NonNullable<ClaimView['destinations']>): Html {
  return html`<ul>${destinations.map(
    ({ network, address }) => html`<li>
        <span class="address-short">${shorten(address)}</span> on ${networkTitle(network, null)}
        <span class="address-whole">${groupsOf(address).map((group) => html`<span>${group}</span>`)}</span>
      </li>`,
  )}</ul>`;
}
