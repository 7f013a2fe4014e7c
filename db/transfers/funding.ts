import { eq, inArray } from 'drizzle-orm';
import type { Db, Store } from '../store/store.ts';

/** The inbound money behind a payout: one payment for a line, several for a refund that gathers them. */
export type Funding = {
  /** A reorganisation has taken one of the payments away for now. */
  isOpen: boolean;
  /**
   * The highest block of the payout's own network that one of them landed in; null when one has not landed. Blocks of
   * another network say nothing here: money from there counts as landed in block 0 once it is safe there, and as not
   * landed before.
   */
  block: number | null;
};

/** By payout id. A payout that no payment funds (money returned from suspense, a withdrawal) has no entry. */
export async function fundingOf(db: Db, store: Store, payoutIds: readonly string[]): Promise<Map<string, Funding>> {
  if (payoutIds.length === 0) return new Map();
  const { lines, payments, transfers, scanCursors } = store.tables;
  const rows = await db
    .select({
      payoutId: transfers.id,
      network: transfers.network,
      status: payments.status,
      landedBlock: payments.landedBlock,
      landedOn: payments.network,
      safeBlock: scanCursors.safeBlock,
    })
    .from(transfers)
    .innerJoin(lines, eq(lines.payoutId, transfers.id))
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .leftJoin(scanCursors, eq(scanCursors.network, payments.network))
    .where(inArray(transfers.id, [...payoutIds]));
  const funding = new Map<string, Funding>();
  for (const { payoutId, network, status, landedOn, landedBlock, safeBlock } of rows) {
    const isSafeThere = landedBlock !== null && safeBlock !== null && landedBlock <= safeBlock;
    const block = landedOn === network ? landedBlock : isSafeThere ? 0 : null;
    const known = funding.get(payoutId) ?? { isOpen: false, block: 0 };
    funding.set(payoutId, {
      isOpen: known.isOpen || (status !== 'settled' && status !== 'final'),
      block: known.block === null || block === null ? null : Math.max(known.block, block),
    });
  }
  return funding;
}

/** What is in suspense or float was safe before it got there, so a payout without payments is safe too. */
export function isSafe(funding: Funding | undefined, safeBlock: number): boolean {
  if (funding === undefined) return true;
  return !funding.isOpen && funding.block !== null && funding.block <= safeBlock;
}
