/** The row of blocks: slots, heights, and how long a blockhash is good. */
import { randomBytes } from 'node:crypto';
import type { Block } from './block.ts';
import { type Commitment, LAG_BLOCKS } from './commitment.ts';
import { toBase58 } from '../wire/encoding.ts';

/** A transaction may land in this many blocks after the one whose blockhash it names. */
export const BLOCKHASH_BLOCKS = 150;
/** Older blocks are forgotten; at 200 ms this is more than an hour. Transactions are kept by their own number. */
const KEPT_BLOCKS = 20_000;
/** Every hundredth slot has no block, so that code that takes slots for heights fails. */
const SKIPPED_SLOT = 100;

/** Where mainnet was; heights trail slots by what was skipped so far. */
const FIRST_SLOT = 447_552_001;
const FIRST_HEIGHT = FIRST_SLOT - 20_000_000;
/** A chain has a past: what could land in its first hours has blocks before it. */
const PAST_BLOCKS = 2 * BLOCKHASH_BLOCKS + SKIPPED_SLOT;
const NO_BLOCKHASH = '11111111111111111111111111111111';

export type Blocks = ReturnType<typeof createBlocks>;

/** Goes on after `kept`, or starts with a first block. */
export function createBlocks(now: () => number, kept: readonly Block[] = []) {
  const blocks = [...kept];
  const bySlot = new Map(blocks.map((block) => [block.slot, block]));
  const heights = new Map(blocks.map((block) => [block.blockhash, block.height]));
  if (blocks.length === 0) for (let count = 0; count < PAST_BLOCKS; count += 1) open();

  function last(): Block {
    const block = blocks.at(-1);
    if (!block) throw new Error('a chain has at least one block, found none');
    return block;
  }

  function add(slot: number): void {
    const parent = blocks.at(-1);
    const block: Block = {
      slot,
      height: parent ? parent.height + 1 : FIRST_HEIGHT,
      parentSlot: parent?.slot ?? slot - 1,
      blockhash: toBase58(randomBytes(32)),
      previousBlockhash: parent?.blockhash ?? NO_BLOCKHASH,
      unixSeconds: Math.floor(now() / 1000),
      signatures: [],
    };
    blocks.push(block);
    bySlot.set(slot, block);
    heights.set(block.blockhash, block.height);
  }

  function forgetOldest(): void {
    const oldest = blocks.shift();
    if (!oldest) return;
    bySlot.delete(oldest.slot);
    heights.delete(oldest.blockhash);
  }

  /** Closes the newest block and begins the next one; so many slots in between have none. */
  function open(skippedSlots = 0): void {
    const parent = blocks.at(-1);
    const next = parent ? parent.slot + 1 + skippedSlots : FIRST_SLOT;
    add(next % SKIPPED_SLOT === 0 ? next + 1 : next);
    if (blocks.length > KEPT_BLOCKS) forgetOldest();
  }

  return {
    open,
    last,
    all: (): readonly Block[] => blocks,
    first: (): Block => blocks[0] ?? last(),
    /** The newest block of a level. */
    at: (commitment: Commitment): Block => blocks.at(-1 - LAG_BLOCKS[commitment]) ?? last(),
    inSlot: (slot: number): Block | undefined => bySlot.get(slot),
    /** Whether a transaction with this blockhash may land in, or be tried against, this block. */
    isUsable(blockhash: string, at: Block): boolean {
      const height = heights.get(blockhash);
      return height !== undefined && height <= at.height && at.height - height <= BLOCKHASH_BLOCKS;
    },
  };
}
