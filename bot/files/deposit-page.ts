import { html } from 'hono/html';
import { copyable } from '../../web/components/copy.ts';
import { qrFigure } from '../../web/components/qr-figure.ts';
import type { Html } from '../../web/html.ts';
import type { Page } from '../../web/page.ts';
import type { ShownAddress } from '../shared/networks.ts';
import type { PageSite } from '../shared/page-site.ts';

/** The addresses for a camera: the money to be sent is usually on another device than the chat. */
export function depositPage({ texts, isPlayMoney }: PageSite, addresses: readonly ShownAddress[]): Page {
  const text = texts.walletPage;
  return {
    title: text.depositTitle,

    main: html`<h1>${text.depositTitle}</h1>
      <p>${isPlayMoney ? text.receivePlay : text.depositIntro}</p>
      ${addresses.map((address, index) => card(texts, address, index))}`,
  };
}

function card({ walletPage: text, payPage }: PageSite['texts'], { place, address }: ShownAddress, index: number): Html {
  return html`<section class="paper letter" aria-labelledby="place-${index}">
    <h2 id="place-${index}">${text.depositAt(place)}</h2>
    ${qrFigure(address, text.qrCode(place))}
    ${copyable(address, payPage.copy)}
  </section>`;
}
