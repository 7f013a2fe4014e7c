import { z } from 'zod';

/** What a wallet of ours has of its network's coin; units are billionths of it. */
export type CoinLevel = {
  role: string;
  address: string;
  units: bigint;
  /** With less than this it is left out, or its network is. */
  leastUnits: bigint;
};

/** An operator has to be told while there is time to send more. */
const LOW_TIMES = 20n;

export const isLow = ({ units, leastUnits }: CoinLevel): boolean => units < leastUnits * LOW_TIMES;

const unitsSchema = z.string().regex(/^\d+$/).transform(BigInt);
const levelsSchema = z.array(
  z.object({ role: z.string(), address: z.string(), units: unitsSchema, leastUnits: unitsSchema }),
);

/** As JSON can hold them. */
export function storedLevels(levels: readonly CoinLevel[]) {
  return levels.map(({ units, leastUnits, ...wallet }) => ({
    ...wallet,
    units: units.toString(),
    leastUnits: leastUnits.toString(),
  }));
}

/** None where an older process has written nothing of it. */
export function readLevels(stored: unknown): readonly CoinLevel[] {
  return levelsSchema.safeParse(stored).data ?? [];
}
