/** How sure an answer is. On this chain a level is nothing but its distance from the newest block. */
export const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const;
export type Commitment = (typeof COMMITMENTS)[number];

/** In blocks. A supermajority's votes finalize a block 32 blocks later; most of them have been seen after one. */
export const LAG_BLOCKS = { processed: 0, confirmed: 1, finalized: 32 } as const satisfies Record<Commitment, number>;

/** The level of something that is this many blocks old. */
export function commitmentAt(ageBlocks: number): Commitment {
  if (ageBlocks >= LAG_BLOCKS.finalized) return 'finalized';
  return ageBlocks >= LAG_BLOCKS.confirmed ? 'confirmed' : 'processed';
}
