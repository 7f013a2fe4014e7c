import { html } from 'hono/html';
import type { Language } from '../../../core/languages.ts';
import { CLAIM_PAGES } from '../../../texts/claim-pages/languages.ts';
import { dollars } from '../../../web/components/money.ts';
import { sentence } from '../../../web/components/sentence.ts';
import type { Html } from '../../../web/html.ts';
import { sender } from '../../receipts/pages/receipt-page.ts';
import type { ReceiptView } from '../../receipts/view.ts';

/** What the person came for, on pages that are about something else: as long as it waits, and their receipt shows it. */
export function sumLine(letter: ReceiptView | null, language: Language): Html | '' {
  if (letter?.status !== 'pending_claim') return '';
  const { sumFrom } = CLAIM_PAGES[language];
  return html`<p class="sum-line">${sentence((put) =>
    sumFrom(put(html`<strong>${dollars(letter.amount)}</strong>`), put(sender(letter, language))),
  )}</p>`;
}
