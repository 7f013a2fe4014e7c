import { createHash } from 'node:crypto';

export type Dice = {
  /** A whole number from 0, below the limit. */
  below: (limit: number) => number;
  /** So many bytes in hex. */
  hex: (bytes: number) => string;
};

/** The same throws for the same seed. */
export function createDice(seed: number): Dice {
  let throws = 0;
  const next = () =>
    createHash('sha256')
      .update(`${seed}:${(throws += 1)}`)
      .digest();
  return {
    below: (limit) => Number(next().readBigUInt64BE() % BigInt(limit)),
    hex: (bytes) => next().subarray(0, bytes).toString('hex'),
  };
}
