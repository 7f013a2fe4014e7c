import { microUsdc, type MicroUsdc } from '../../../core/money.ts';
import type { Network } from '../../../core/networks.ts';

/**
 * `both`: the words of two are needed, and two press at once. `either`: one word is enough, and two press at once.
 * `contest`: one word is enough, and while one confirms the other rejects. `link`: one word is enough, two press at once,
 * the treasury has nothing, and an outsider pays by the card's link, the first time with another's signature.
 */
const WAYS = ['both', 'either', 'both', 'contest', 'link'] as const;
export type Way = (typeof WAYS)[number];

/** Each is the only reward of a community of its own, so that what its treasury spends can be for nothing else. */
export type RewardPlan = {
  index: number;
  way: Way;
  /** The only one on which the payer has anything: the treasury, or an outsider with a wallet. */
  network: Network;
  budget: MicroUsdc;
  /** Who is rewarded; all others are left out. */
  people: readonly string[];
};

type Wish = { count: number; seed: number; networks: readonly Network[]; names: readonly string[] };

/** More than one word is enough for, and less than what one person may get at most. */
const LARGE = 10_500_000n;
const SMALL = 1_000_000n;
const PEOPLE_MIN = 3;
const SOLANA_EVERY = 3;

/** The seed moves which way meets which death, and who is rewarded by whom. */
export function makePlan({ count, seed, networks, names }: Wish): RewardPlan[] {
  return Array.from({ length: count }, (_, index) => {
    const turn = index + seed;
    const way = WAYS[turn % WAYS.length] ?? 'both';
    const people = Array.from(
      { length: PEOPLE_MIN + (turn % 3) },
      (__, place) => names[(turn * 5 + place) % names.length],
    );
    return {
      index,
      way,
      network: networks.includes('solana') && turn % SOLANA_EVERY === 0 ? 'solana' : 'base',
      // No two sums are alike, so nobody's share makes up for another one.
      budget: microUsdc((way === 'both' ? LARGE : SMALL) + BigInt(index)),
      people: people.filter((name) => name !== undefined),
    };
  });
}
