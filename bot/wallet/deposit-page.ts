import { html } from 'hono/html';
import { networkTitle } from '../../core/networks.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { Html, Page, Site } from './layout.ts';
import { qrFigure } from './qr-figure.ts';

type Address = { place: string; address: string };

/** Where a wallet receives, on each network. */
export async function readAddresses({ networks }: Pick<CoreDeps, 'networks'>, walletId: string): Promise<Address[]> {
  return Promise.all(
    networks.map(async ({ network, pinned, addressOf }) => ({
      place: networkTitle(network, pinned.caip2),
      address: await addressOf(walletId),
    })),
  );
}

/** The addresses for a camera: the money to be sent is usually on another device than the chat. */
export function depositPage({ texts, isPlayMoney }: Site, addresses: readonly Address[]): Page {
  const text = texts.walletPage;
  return {
    title: text.depositTitle,
    main: html`<h1>${text.depositTitle}</h1>
      <p>${isPlayMoney ? text.receivePlay : text.depositIntro}</p>
      ${addresses.map((address, index) => card(text, address, index))}`,
  };
}

function card(text: Site['texts']['walletPage'], { place, address }: Address, index: number): Html {
  return html`<section class="card" aria-labelledby="place-${index}">
    <h2 id="place-${index}">${text.depositAt(place)}</h2>
    ${qrFigure(address, text.qrCode(place))}
    <p><code class="address">${address}</code></p>
  </section>`;
}
