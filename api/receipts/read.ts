import { findReceipt } from '../../db/payments/records/find.ts';
import type { Store } from '../../db/store/store.ts';
import { toReceiptView, type ReceiptPlace, type ReceiptView } from './view.ts';

export type ShownReceipt = { slug: string; paymentId: string; view: ReceiptView };

/**
 * The receipt at this address; null where there is none. A receipt has two addresses, and a visitor of the public one,
 * which shows less, must not learn the other. So the page names the address that was asked for.
 */
export async function readReceipt(
  { store, now }: { store: Store; now: () => number },
  place: ReceiptPlace,
  slug: string,
): Promise<ShownReceipt | null> {
  const row = await findReceipt(store, slug, now());
  if (row === null) return null;
  const view = toReceiptView({ ...row, line: { ...row.line, slug } }, place);
  return view && { slug, paymentId: row.payment.id, view };
}
