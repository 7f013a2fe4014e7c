import { microUsdc, type MicroUsdc } from '../../../../core/money.ts';
import type { Network } from '../../../../core/networks.ts';

/**
 * A group of four. One drops a sum, of which each of two others takes a share; and the first of those asks the other two
 * for a sum, half from each. The second gets a tip from the last and blocks them, and who wants to be is listed. All sums
 * differ, so that each outcome can be told apart.
 */
export type GroupPlan = {
  index: number;
  transport: 'discord' | 'telegram';
  network: Network;
  drop: MicroUsdc;
  bill: MicroUsdc;
  tip: MicroUsdc;
};

export const SHARES = 2;
/** A drop is 0.2 and some, and each part of a bill 0.3 and some, however they are shown. */
const DROP = 200_000n;
const BILL = 600_000n;
/** What the blocked one gives, which goes back. */
const TIP = 150_000n;
/** How many events of each kind a group has, at least. */
export const EVENTS_EACH = 4;
const SOLANA_EVERY = 5;

type Wish = { count: number; seed: number; networks: readonly Network[] };

export function makeGroupPlans({ count, seed, networks }: Wish): GroupPlan[] {
  return Array.from({ length: count }, (_, index): GroupPlan => {
    const turn = index + seed;
    const step = BigInt(index * SHARES);
    return {
      index,
      transport: turn % 2 === 0 ? 'discord' : 'telegram',
      network: networks.includes('solana') && turn % SOLANA_EVERY === 0 ? 'solana' : 'base',
      drop: microUsdc(DROP + step),
      bill: microUsdc(BILL + step),
      tip: microUsdc(TIP + step),
    };
  });
}

export const half = (sum: MicroUsdc): bigint => sum / BigInt(SHARES);
