import { html } from 'hono/html';
import type { Html } from '../html.ts';

/** The whole of an address in fours, as people compare long numbers. */
export function addressInFours(address: string): Html {
  const groups = address.match(/.{1,4}/g) ?? [];
  return html`<span class="address-whole">${groups.map((group) => html`<span>${group}</span>`)}</span>`;
}
