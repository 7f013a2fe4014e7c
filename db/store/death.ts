import { eq, lte, type SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';

/**
 * What proves that a signed transfer of ours can never land: a finalized block after its window, in whose state it is
 * unused; or the certain end of the one transaction that could have carried it.
 */
export type Death = { finalizedTime: number } | { closedCarrierId: string };

/** Part of the statement that renews it, so that no generation ends without its proof. */
export function isProvenBy(transfer: { validBefore: SQLiteColumn; carrierId: SQLiteColumn }, death: Death): SQL {
  return 'finalizedTime' in death
    ? lte(transfer.validBefore, death.finalizedTime)
    : eq(transfer.carrierId, death.closedCarrierId);
}
