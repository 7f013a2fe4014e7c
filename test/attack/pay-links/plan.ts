import { microUsdc } from '../../../core/money.ts';
import type { Network } from '../../../core/networks.ts';
import type { TipPlan } from '../chat-kills/plan.ts';

/** `forged`: a wrong signature comes first, and the wallet's after it. `twice`: the same transfer two times. */
export const WAYS = ['wallet', 'transfer', 'both', 'forged', 'twice'] as const;
export type Way = (typeof WAYS)[number];

/** Each has its own visitor who asks for it, its own recipient, and its own payer. */
export type LinkPlan = TipPlan & { way: Way; network: Network };

/** Far from each other, so that the extra of one task never makes it the amount of another. */
const SMALLEST = 100_000n;
const STEP = 20_000n;
const SOLANA_EVERY = 3;

/** The seed moves which way meets which death. */
export function makePlan(count: number, seed: number, networks: readonly Network[]): LinkPlan[] {
  return Array.from({ length: count }, (_, index) => ({
    index,
    payer: index,
    handle: `l${seed}n${String(index).padStart(4, '0')}`,
    amount: microUsdc(SMALLEST + BigInt(index % 40) * STEP),
    hasWallet: false,
    way: WAYS[(index * 3 + seed) % WAYS.length] ?? 'wallet',
    network: networks.includes('solana') && (index + seed) % SOLANA_EVERY === 0 ? 'solana' : 'base',
  }));
}
