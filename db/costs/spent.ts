import type { Network } from '../../core/networks.ts';
import { dayOf } from '../limits/daily.ts';
import { readCounter } from '../store/counters.ts';
import type { Store } from '../store/store.ts';
import { costCounters } from './counters.ts';

/** What a network has cost today, in gwei or lamports. `gas` includes what is promised to payments on their way. */
export type Spent = { network: Network; gas: bigint; rent: bigint };

export async function readSpent(store: Store, networks: readonly Network[], nowMs: number): Promise<Spent[]> {
  const day = dayOf(nowMs);
  return Promise.all(
    networks.map(async (network) => ({
      network,
      gas: await readCounter(store, costCounters.gas(network, day)),
      rent: await readCounter(store, costCounters.rent(network, day)),
    })),
  );
}
