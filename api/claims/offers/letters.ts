import { findLine } from '../../../db/payments/records/find.ts';
import type { Platform } from '../../../core/platforms/platforms.ts';
import type { Store } from '../../../db/store/store.ts';
import { toReceiptView, type ReceiptPlace, type ReceiptView } from '../../receipts/view.ts';
import { findLinked } from '../receipt-link.ts';

/** More links than that on one page help no reader. */
const LINKS_MAX = 20;

type LettersDependencies = { store: Store; now: () => number };

/** What claim pages read besides the claim itself. */
export type Letters = {
  /** The receipt whose link the visitor followed; null where it is for another name, or shows less than everything. */
  find: (slug: string | null, to: { platform: Platform; key: string | null }) => Promise<ReceiptView | null>;
  /** The receipts of what a claim released; its proven owner may read them whole. */
  ofLines: (txnIds: readonly number[]) => Promise<ReceiptView[]>;
};

export function createLetters(dependencies: LettersDependencies, place: ReceiptPlace): Letters {
  const { store, now } = dependencies;
  return {
    find: async (slug, to) => {
      const row = await findLinked(dependencies, slug, to);
      return row === null ? null : toReceiptView(row, place);
    },
    ofLines: async (txnIds) => {
      const rows = await Promise.all(txnIds.slice(0, LINKS_MAX).map((txnId) => findLine(store, txnId, now())));
      return rows.flatMap((row) => (row === null ? [] : [toReceiptView(row, place)])).filter((view) => view !== null);
    },
  };
}
