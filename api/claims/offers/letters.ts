import { findLine, findReceipt, type ReceiptRow } from '../../../db/payments/records/find.ts';
import { platformRow, type Platform } from '../../../core/platforms/platforms.ts';
import type { Store } from '../../../db/store/store.ts';
import { toReceiptView, type ReceiptPlace, type ReceiptView } from '../../receipts/view.ts';

/** More links than that on one page help no reader. */
const LINKS_MAX = 20;
/** 128 bits in base64url. */
const SLUG = /^[A-Za-z0-9_-]{22}$/;

/** What claim pages read besides the claim itself. */
export type Letters = {
  /** The receipt whose link the visitor followed; null where it is for another name, or shows less than everything. */
  find: (slug: string | null, to: { platform: Platform; key: string | null }) => Promise<ReceiptView | null>;
  /** The receipts of what a claim released; its proven owner may read them whole. */
  ofLines: (txnIds: readonly number[]) => Promise<ReceiptView[]>;
};

export function createLetters(store: Store, place: ReceiptPlace): Letters {
  return {
    find: async (slug, to) => {
      const row = slug === null || !SLUG.test(slug) ? null : await findReceipt(store, slug);
      return row !== null && row.line.slug === slug && isFor(row, to) ? toReceiptView(row, place) : null;
    },
    ofLines: async (txnIds) => {
      const rows = await Promise.all(txnIds.slice(0, LINKS_MAX).map((txnId) => findLine(store, txnId)));
      return rows.flatMap((row) => (row === null ? [] : [toReceiptView(row, place)])).filter((view) => view !== null);
    },
  };
}

/**
 * An e-mail receipt masks its address, and its link travels. Shown for the right address only, it would let anyone with
 * the link try addresses until one fits, so it is shown for any. The sum appears after the proof, as everywhere.
 */
function isFor({ line }: ReceiptRow, { platform, key }: { platform: Platform; key: string | null }): boolean {
  return line.platform === platform && (platformRow(platform).mask !== undefined || line.recipientKey === key);
}
