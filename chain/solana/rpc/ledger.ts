import { ChainUnavailable } from '../../errors.ts';
import { BLOCKHASH_BLOCKS } from '../messages/programs.ts';
import type { SolanaRpc } from './rpc.ts';

/** The oldest block whose transactions the node has. */
export type LedgerStart = { slot: number; height: number };

/**
 * How far below the height that ends it a transaction may have landed. A blockhash lives for 150 blocks; where others have
 * chosen it, the stored end is 150 blocks above the block in which it was seen to be good, and it was up to 150 old by then.
 */
const LANDING_BLOCKS = 2 * BLOCKHASH_BLOCKS;

/** From which block on a ledger is needed to say that a transaction has not landed. The first block of a chain is 0. */
export const neededHeight = (lastValidHeight: number): number => Math.max(0, lastValidHeight - LANDING_BLOCKS);

/**
 * Whether a node that answers null for a status would know it, had the transaction landed. Null, where the node does not say
 * what it has, proves nothing. To be asked for after the status: a ledger only ever loses its oldest blocks, so what is there
 * afterwards was there.
 */
export function wouldKnow(ledger: LedgerStart | null, lastValidHeight: number): boolean {
  return ledger !== null && ledger.height <= neededHeight(lastValidHeight);
}

/**
 * The same of what was seen in a slot that may have lost: on another fork it is in one near it. Slots without a block are few,
 * and what is in the same fork before a pause of the whole network is not listed anew after it.
 */
export const wouldKnowNear = (ledger: LedgerStart | null, slot: number): boolean =>
  ledger !== null && ledger.slot <= Math.max(0, slot - LANDING_BLOCKS);

/** Null where no node says it now. */
export async function readLedgerStart(rpc: Pick<SolanaRpc, 'ledgerStart'>): Promise<LedgerStart | null> {
  try {
    return await rpc.ledgerStart();
  } catch (error) {
    if (error instanceof ChainUnavailable) return null;
    throw error;
  }
}
