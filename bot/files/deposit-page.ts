import { html } from 'hono/html';
import { networkTitle } from '../../core/networks.ts';
import { copyable } from '../../web/components/copy.ts';
import { qrFigure } from '../../web/components/qr-figure.ts';
import type { Html } from '../../web/html.ts';
import type { Page } from '../../web/page.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { PageSite } from '../shared/page-site.ts';

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
export function depositPage({ texts, isPlayMoney }: PageSite, addresses: readonly Address[]): Page {
  const text = texts.walletPage;
  return {
    title: text.depositTitle,
    scripts: ['page.js'],
    main: html`<h1>${text.depositTitle}</h1>
      <p>${isPlayMoney ? text.receivePlay : text.depositIntro}</p>
      ${addresses.map((address, index) => card(texts, address, index))}`,
  };
}

function card({ walletPage: text, payPage }: PageSite['texts'], { place, address }: Address, index: number): Html {
  return html`<section class="paper letter" aria-labelledby="place-${index}">
    <h2 id="place-${index}">${text.depositAt(place)}</h2>
    ${qrFigure(address, text.qrCode(place))}
    ${copyable(address, payPage.copy)}
  </section>`;
}
