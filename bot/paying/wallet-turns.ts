import { walletOnItsWay } from '../../db/wallets/spending.ts';
import type { OrderRow } from '../../db/tips/orders.ts';
import { createLines } from '../../queue/by-key.ts';
import { readHolding } from './balance.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { findNetwork } from '../shared/networks.ts';

/** Half of what the API lets one payer have on the way, which leaves room for those who pay by other means. */
const ON_THE_WAY_MAX = 10;
const LOOK_EVERY_MS = 100;
/** Longer than a payment takes; after that it is tried, and the API says what is missing. */
const WAIT_LIMIT_MS = 60_000;

type Deps = Pick<CoreDeps, 'store' | 'networks' | 'clock' | 'log'>;

export type WalletTurns = {
  /** Runs `work` when everything before it is done with the wallet and no earlier order needs the money for this one. */
  take: (deps: Deps, order: OrderRow, total: bigint, work: () => Promise<void>) => Promise<void>;
};

/**
 * Signs for a wallet one order after the other, in the order in which they came. Two that see the same last dollar
 * would both be signed: the one that loses on the chain would hear of a failed transaction instead of what is missing,
 * or stay open until its time is over.
 *
 * This only decides who waits: orders of the same wallet in another process make nothing less safe.
 */
export function createWalletTurns(): WalletTurns {
  const inLine = createLines<string>();
  return {
    take: (deps, order, total, work) =>
      inLine(order.walletId, async () => {
        await untilFree(deps, order, total);
        await work();
      }),
  };
}

async function untilFree(deps: Deps, order: OrderRow, total: bigint): Promise<void> {
  const { clock } = deps;
  const deadlineMs = clock.now() + WAIT_LIMIT_MS;
  while (!(await isFree(deps, order, total)) && clock.now() < deadlineMs) await clock.sleep(LOOK_EVERY_MS);
}

/**
 * With nothing on its way the API may judge. What is on its way is read before the balance: a payment that lands in
 * between is subtracted twice, and the next look corrects that. The other way round its money would be counted as still
 * there.
 */
async function isFree(deps: Deps, { walletId, network }: OrderRow, total: bigint): Promise<boolean> {
  const { count, sumMicroUsdc } = await walletOnItsWay(deps.store, walletId, network);
  if (count === 0) return true;
  const paying = findNetwork(deps.networks, network);
  if (count >= ON_THE_WAY_MAX || paying === null) return paying === null;
  const { amount } = await readHolding(deps, paying, walletId);
  return amount === null || amount - sumMicroUsdc >= total;
}
