import { html } from 'hono/html';
import { shortAddress, shownAddress } from '../../../chain/shown-address.ts';
import type { Language } from '../../../core/languages.ts';
import { networkTitle } from '../../../core/networks.ts';
import { CLAIM_PAGES } from '../../../texts/claim-pages/languages.ts';
import { SIGN_IN } from '../../../texts/sign-in/languages.ts';
import { addressInFours } from '../../../web/components/address.ts';
import { sentence } from '../../../web/components/sentence.ts';
import type { Html } from '../../../web/html.ts';
import type { ClaimView } from '../claims.ts';
import { addressesIn } from '../payout.ts';

/** In one sentence, before the proof: the proof then holds for this destination alone. */
export function whereItGoes({ payout }: ClaimView, language: Language): Html {
  const words = CLAIM_PAGES[language];
  if ('open' in payout) return html`${SIGN_IN[language].whatFor}`;
  if ('keep' in payout) return html`${words.willStay}`;
  if ('decline' in payout) return html`${words.willGoBack}`;
  const given = addressesIn(payout).map(
    ({ address }) => html`<span class="address-short">${shortAddress(address)}</span>`,
  );
  return sentence((put) => words.willGoTo(given.map(put).join(words.and)));
}

/** Each address for comparing: its ends at a glance, and the whole of it in fours. */
export function addresses(destinations: NonNullable<ClaimView['destinations']>, language: Language): Html {
  const { onNetwork } = CLAIM_PAGES[language];
  return html`<ul>${destinations.map(
    ({ network, address }) => html`<li>
        ${sentence((put) => onNetwork(put(html`<span class="address-short">${shortAddress(address)}</span>`), networkTitle(network, null)))}
        ${addressInFours(shownAddress(address))}
      </li>`,
  )}</ul>`;
}
