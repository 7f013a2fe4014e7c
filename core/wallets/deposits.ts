import type { MicroUsdc } from '../money.ts';

/** Money that came to an address of a personal wallet, and not from us. `place`: among what its transaction did. */
export type SeenDeposit = { transaction: string; place: number; to: string; amount: MicroUsdc; atMs: number };

/** What a chain is asked about money that people put into their wallets. Blocks only that nothing is expected to undo. */
export type DepositReads = {
  /** Whether it answers from an address's first day on, without a price for the days that have passed. */
  knowsAll: boolean;
  /** How many addresses are asked for at once. */
  addressesMax: number;
  /** It is asked again after so many new blocks. */
  blocksMin: number;
  /** How many blocks are asked for at once. */
  blocksMax: number;
  newestBlock: () => Promise<number>;
  /** One that was sealed at that time at the latest. */
  blockBefore: (atMs: number) => Promise<number>;
  /** Both blocks included; `upTo`: the last one of which all is answered. */
  depositsTo: (
    addresses: readonly string[],
    fromBlock: number,
    toBlock: number,
  ) => Promise<{ found: SeenDeposit[]; upTo: number }>;
};
