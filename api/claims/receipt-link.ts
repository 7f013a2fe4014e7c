import { platformRow, type Platform } from '../../core/platforms/platforms.ts';
import { findIdentity } from '../../db/identities/identities.ts';
import { sumWaiting } from '../../db/notices/due.ts';
import { findStopSecret, readReaderToken } from '../../db/notices/stop-token.ts';
import { findReceipt, type ShownRow } from '../../db/payments/records/find.ts';
import { sumKept } from '../../db/wallets/kept.ts';
import type { Store } from '../../db/store/store.ts';

/** 128 bits in base64url. */
export const SLUG = /^[A-Za-z0-9_-]{22}$/;

/** The receipt whose link the visitor followed; null where it is for another name, or shows less than everything. */
export async function findLinked(
  { store, now }: { store: Store; now: () => number },
  slug: string | null,
  to: { platform: Platform; key: string | null },
): Promise<ShownRow | null> {
  const row = slug === null || !SLUG.test(slug) ? null : await findReceipt(store, slug, now());
  return row !== null && row.line.slug === slug && isFor(row, to) ? row : null;
}

/**
 * An e-mail receipt masks its address, and its link travels. Good for the right address only, it would let anyone with
 * the link try addresses until one fits, so it is good for any. The sum appears after the proof, as everywhere.
 */
function isFor({ line }: ShownRow, { platform, key }: { platform: Platform; key: string | null }): boolean {
  return line.platform === platform && (platformRow(platform).mask !== undefined || line.recipientKey === key);
}

/** A link that only its holder has, by its name, and what waits behind it. */
export type HeldLink = { name: string; waitingMicroUsdc: bigint };

/**
 * By the link of a receipt. Money that is kept here counts as what waits: its owner needs mails to come to it. Of money
 * that left there are receipts for nothing.
 */
export async function toHeldLink(store: Store, linked: ShownRow | null): Promise<HeldLink | null> {
  if (linked === null) return null;
  const { slug, status, amountMicroUsdc, identityId } = linked.line;
  const isWaiting = status === 'escrowed' || status === 'resolving';
  const kept = status === 'paying' && identityId !== null ? await sumKept(store, identityId) : 0n;
  const ofKept = kept < amountMicroUsdc ? kept : amountMicroUsdc;
  return { name: `receipt ${slug}`, waitingMicroUsdc: isWaiting ? amountMicroUsdc : ofKept };
}

/** By the link in a notice that this recipient got. Nobody else has it, so it may look at what waits, and at what is kept here. */
export async function findReader(
  store: Store,
  token: string | null,
  { platform, key }: { platform: Platform; key: string },
  nowMs: number,
): Promise<HeldLink | null> {
  const secret = token === null ? null : await findStopSecret(store);
  const identityId = token === null || secret === null ? null : readReaderToken(secret, token);
  if (identityId === null || (await findIdentity(store, platform, key))?.id !== identityId) return null;
  const [waiting, kept] = await Promise.all([sumWaiting(store, identityId, nowMs), sumKept(store, identityId)]);
  return { name: `reader ${identityId}`, waitingMicroUsdc: waiting + kept };
}
