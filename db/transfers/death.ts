import { eq, lte, type SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';

/**
 * What proves that a signed transfer of ours can never land: a finalized block after its window, in whose state it is
 * unused; the certain end of the one transaction that could have carried it; or its nonce, spent at a safe block by
 * something that moved nothing.
 */
export type Death = { finalizedTime: number } | { closedCarrierId: string } | { spentNonce: string };

type Provable = { validBefore: SQLiteColumn; carrierId: SQLiteColumn; nonce: SQLiteColumn };

/** Part of the statement that renews it, so that no generation ends without its proof. */
export function isProvenBy(transfer: Provable, death: Death): SQL {
  if ('finalizedTime' in death) return lte(transfer.validBefore, death.finalizedTime);
  if ('spentNonce' in death) return eq(transfer.nonce, death.spentNonce);
  return eq(transfer.carrierId, death.closedCarrierId);
}
