/** Which block answers a question. */
import type { Block } from '../chain/block.ts';
import type { Blocks } from '../chain/blocks.ts';
import type { Commitment } from '../chain/commitment.ts';
import { invalidParams, minContextSlotNotReached } from './rpc-error.ts';

export type ContextConfig = { commitment?: Commitment | undefined; minContextSlot?: number | undefined };

/** The commitment of an answer when the call names none. */
export const DEFAULT_COMMITMENT: Commitment = 'finalized';

/** The newest block of the level that is asked for. Throws when that is older than the caller wants. */
export function blockFor(blocks: Blocks, config: ContextConfig | null | undefined): Block {
  const block = blocks.at(config?.commitment ?? DEFAULT_COMMITMENT);
  const wanted = config?.minContextSlot;
  if (wanted !== undefined && block.slot < wanted) throw minContextSlotNotReached(block.slot);
  return block;
}

export function inContext<T>(block: Block, value: T) {
  return { context: { apiVersion: API_VERSION, slot: block.slot }, value };
}

/** Blocks and transactions are not shown while the network may still drop them. */
export function atLeastConfirmed(commitment: Commitment = DEFAULT_COMMITMENT): Commitment {
  if (commitment === 'processed') throw invalidParams('Method does not support commitment below `confirmed`');
  return commitment;
}

export const API_VERSION = '3.1.0';
