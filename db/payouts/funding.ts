import { eq, inArray } from 'drizzle-orm';
import type { Db, Store } from '../store.ts';

/** The inbound money behind a payout: one payment for a line, several for a refund that gathers them. */
export type Funding = {
  /** A reorganisation has taken one of the payments away for now. */
  isOpen: boolean;
  /** The highest block that one of them landed in; null when one has not landed. */
  block: number | null;
};

/** By payout id. A payout that no payment funds (money returned from suspense) has no entry. */
export async function fundingOf(db: Db, store: Store, payoutIds: readonly string[]): Promise<Map<string, Funding>> {
  if (payoutIds.length === 0) return new Map();
  const { lines, payments } = store.tables;
  const rows = await db
    .select({ payoutId: lines.payoutId, status: payments.status, block: payments.landedBlock })
    .from(lines)
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(inArray(lines.payoutId, [...payoutIds]));
  const funding = new Map<string, Funding>();
  for (const { payoutId, status, block } of rows) {
    if (payoutId === null) continue;
    const known = funding.get(payoutId) ?? { isOpen: false, block: 0 };
    funding.set(payoutId, {
      isOpen: known.isOpen || (status !== 'settled' && status !== 'final'),
      block: known.block === null || block === null ? null : Math.max(known.block, block),
    });
  }
  return funding;
}

/** Money returned from suspense was safe before it got there, so a payout without payments is safe too. */
export function isSafe(funding: Funding | undefined, safeBlock: number): boolean {
  if (funding === undefined) return true;
  return !funding.isOpen && funding.block !== null && funding.block <= safeBlock;
}
