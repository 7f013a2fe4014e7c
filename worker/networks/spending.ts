import type { Logger } from 'pino';
import type { CostRules } from '../../core/costs/allowance.ts';
import { coinOf, type Network } from '../../core/networks.ts';
import type { Outage } from '../../core/payments/outages.ts';
import { readSpent } from '../../db/costs/spent.ts';
import { dayOf } from '../../db/limits/daily.ts';
import type { Store } from '../../db/store/store.ts';

type Watched = { store: Store; network: Network; rules: CostRules; now: () => number; log: Logger };

/**
 * Checks what a network has cost today. From half of its budget on the log says so, once a day; a network that has used
 * up all of it leaves the terms until the next day, so that it does not run dry under those who have paid.
 */
export function watchSpending({ store, network, rules, now, log }: Watched): () => Promise<Outage | null> {
  const { dailyUnits } = rules;
  let told = '';
  return async () => {
    if (dailyUnits === null) return null;
    const nowMs = now();
    const [spent] = await readSpent(store, [network], nowMs);
    const gas = spent?.gas ?? 0n;
    const day = dayOf(nowMs);
    if (gas * 2n >= dailyUnits && told !== day) {
      told = day;
      const sums = { network, coin: coinOf(network), spent: Number(gas) / 1e9, budget: Number(dailyUnits) / 1e9 };
      log.warn(sums, 'half of what this network may cost today is used up');
    }
    return gas >= dailyUnits ? 'budget' : null;
  };
}
