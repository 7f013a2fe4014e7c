import { platformRow, type Platform } from '../../core/platforms/platforms.ts';
import { findReceipt, type ShownRow } from '../../db/payments/records/find.ts';
import type { Store } from '../../db/store/store.ts';

/** 128 bits in base64url. */
const SLUG = /^[A-Za-z0-9_-]{22}$/;

/** The receipt whose link the visitor followed; null where it is for another name, or shows less than everything. */
export async function findLinked(
  store: Store,
  slug: string | null,
  to: { platform: Platform; key: string | null },
): Promise<ShownRow | null> {
  const row = slug === null || !SLUG.test(slug) ? null : await findReceipt(store, slug);
  return row !== null && row.line.slug === slug && isFor(row, to) ? row : null;
}

/**
 * An e-mail receipt masks its address, and its link travels. Good for the right address only, it would let anyone with
 * the link try addresses until one fits, so it is good for any. The sum appears after the proof, as everywhere.
 */
function isFor({ line }: ShownRow, { platform, key }: { platform: Platform; key: string | null }): boolean {
  return line.platform === platform && (platformRow(platform).mask !== undefined || line.recipientKey === key);
}
