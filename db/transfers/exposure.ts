import type { Network } from '../../core/networks.ts';
import { addWithin } from '../store/counters.ts';
import type { Db, Store } from '../store/store.ts';

/** What leaves on a network before the inbound that funds it is safe; capped. */
export const exposureCounter = (network: Network) => `exposure:${network}`;

export async function giveBackExposure(db: Db, store: Store, network: Network, amount: bigint): Promise<void> {
  await addWithin(db, store, exposureCounter(network), -amount);
}
