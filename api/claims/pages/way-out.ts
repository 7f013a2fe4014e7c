import { html } from 'hono/html';
import type { Language } from '../../../core/languages.ts';
import { networkTitle } from '../../../core/networks.ts';
import type { WaitsForRoute } from '../../../db/payments/records/waiting-lines.ts';
import { CLAIM_PAGES } from '../../../texts/claim-pages/languages.ts';
import type { Html } from '../../../web/html.ts';
import type { ClaimView } from '../claims.ts';
import { canKeep, type PageContext } from '../offers/page-context.ts';
import { openPath, PURSE_PATH, startPath } from './wording.ts';

type Waiting = WaitsForRoute & { language: Language };

/** What a person can do about money that their address cannot take: both ways prove the name again, and hold at once. */
export function wayOut(
  pageContext: PageContext,
  view: ClaimView,
  { sums, purseMaxMicroUsdc: most, language }: Waiting,
): Html {
  const words = CLAIM_PAGES[language];
  const { recipient, receiptSlug } = view;
  const start = startPath(recipient, receiptSlug);
  const places = sums.map(({ network }) => networkTitle(network, null)).join(words.and);
  const other = html`<a class="button quiet" id="other-address" href="${start}">${words.giveAddress(places)}</a>`;
  if (most !== null) {
    const purse = html`<a class="button" id="purse" href="${PURSE_PATH}">${words.seeMoney}</a>`;
    return html`<p class="actions">${most === 0n ? '' : purse} ${other}</p>`;
  }
  if (!canKeep(pageContext, recipient.platform)) return html`<p class="actions">${other}</p>`;
  const { platform, key } = recipient;
  return html`<form method="post" action="${openPath(receiptSlug)}" class="primary">
        <input type="hidden" name="platform" value="${platform}">
        <input type="hidden" name="handle" value="${key}">
        <input type="hidden" name="choice" value="keep">
        ${receiptSlug === null ? '' : html`<input type="hidden" name="receipt" value="${receiptSlug}">`}
        <button class="button wide" id="keep">${words.keep}</button>
      </form>
      <p class="actions">${other}</p>`;
}
