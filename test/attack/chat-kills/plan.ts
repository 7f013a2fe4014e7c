import { microUsdc, type MicroUsdc } from '../../../core/money.ts';
import type { Network } from '../../../core/networks.ts';

export const TRANSPORTS = ['web', 'discord', 'telegram'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** One person, who pays from the only network on which there is anything. */
export type PayerPlan = {
  transport: Transport;
  network: Network;
  /** Whether others read along, where the transport knows the difference. */
  isPublic: boolean;
};

/** Each tip has its own recipient and its own amount, so that its outcome can be told apart. */
export type TipPlan = {
  index: number;
  payer: number;
  handle: string;
  amount: MicroUsdc;
  /** Whether the recipient has said where money goes; else it waits in escrow. */
  hasWallet: boolean;
};

export type Plan = { payers: readonly PayerPlan[]; tips: readonly TipPlan[] };

const TIPS_PER_PAYER = 2;
const SMALLEST = 50_000n;
/** So many payers to one with play money on Solana only, and so many tips to one that goes straight to a wallet. */
const SOLANA_EVERY = 5;
const WALLET_EVERY = 7;

type Wish = {
  count: number;
  seed: number;
  networks: readonly Network[];
  /** By turns; all, unless told. */
  transports?: readonly Transport[];
};

/** Who tips whom. The seed moves what meets what: tips are said in this order, a few in each life of the bot. */
export function makePlan({ count, seed, networks, transports = TRANSPORTS }: Wish): Plan {
  const payers = Array.from({ length: Math.ceil(count / TIPS_PER_PAYER) }, (_, index): PayerPlan => {
    const turn = index + seed;
    const isOnSolana = networks.includes('solana') && turn % SOLANA_EVERY === 0;
    return {
      transport: transports[turn % transports.length] ?? 'web',
      network: isOnSolana ? 'solana' : 'base',
      isPublic: Math.floor(turn / transports.length) % 2 === 0,
    };
  });
  const tips = Array.from({ length: count }, (_, index): TipPlan => {
    const payer = Math.floor(index / TIPS_PER_PAYER);
    return {
      index,
      payer,
      handle: `k${seed}t${String(index).padStart(4, '0')}`,
      amount: microUsdc(SMALLEST + BigInt(index)),
      // From Solana to a wallet on Base the operator would have to lend, and nobody has given anything here.
      hasWallet: payers[payer]?.network === 'base' && (index + seed) % WALLET_EVERY === 0,
    };
  });
  return { payers, tips };
}
