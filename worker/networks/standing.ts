import type { Logger } from 'pino';
import type { Network } from '../../core/networks.ts';
import type { CoinLevel } from '../../core/costs/coins.ts';
import { OUTAGES, type Outage } from '../../core/payments/outages.ts';
import { writeDoubt, writeStanding } from '../../db/networks/standing.ts';
import type { Hold } from '../../db/processes/owner.ts';
import type { Store } from '../../db/store/store.ts';
import { within } from '../../queue/deadline.ts';
import { startJob, type Job } from '../../queue/job.ts';

const EVERY_MS = 1_500;
/** While all is well. A row is never older than this plus the longest look, or others would miss the worker. */
const WELL_EVERY_MS = 3_000;
const LOOK_LIMIT_MS = 2_500;
/** One lost answer is no outage; with the numbers above a silent node is one within eight seconds. */
const PATIENCE_MS = 5_000;

/** Outages that end when the network's coin is sent to a wallet of ours. */
const OF_COIN: ReadonlySet<Outage> = new Set(['no_gas', 'treasury_unfunded']);

export type StandingOptions = {
  store: Store;
  network: Network;
  now: () => number;
  log: Logger;
  /** Whether the chain has answered as the right one. */
  isOpen: () => boolean;
  /** Each worker asks for itself; one writes down the answer, so that two that differ do not overwrite each other. */
  hold: Pick<Hold, 'isHeld'>;
  /** Asks the chain whether it could settle a payment now. */
  look: () => Promise<Outage | null>;
  /** What our wallets had of its coin at the last look. */
  coins?: () => readonly CoinLevel[];
  /** Our wallets that need its coin, by role, for the alert when one of them has too little. */
  wallets: Readonly<Record<string, string | readonly string[]>>;
  /** The comparison of two nodes; null where there is one node only. */
  comparison: NodeComparison | null;
};

export type NodeComparison = { disagrees: () => boolean; compares: () => boolean };

/**
 * Records, for every process, whether this network settles payments. The API offers it only while it does.
 * Resolves after the first look.
 */
export async function startStanding(options: StandingOptions): Promise<Job> {
  const { store, network, now, log, isOpen, hold, look, wallets, comparison, coins = () => [] } = options;
  const sinceMs = now();
  let outage: Outage | null = null;
  let answeredAtMs = 0;
  let isWell = false;

  async function decide(): Promise<Outage | null> {
    isWell = false;
    try {
      // Of two nodes that contradict each other nothing else needs to be asked.
      if (comparison?.disagrees() === true) return 'nodes_disagree';
      const found = await within(look(), LOOK_LIMIT_MS);
      answeredAtMs = now();
      isWell = found === null;
      return found ?? (isOpen() ? null : 'no_answer');
    } catch (error) {
      log.debug({ network, err: error }, 'a network could not be asked whether it settles');
      return now() - answeredAtMs >= PATIENCE_MS ? 'no_answer' : outage;
    }
  }

  const walletsOf = (found: Outage) => (OF_COIN.has(found) ? { wallets } : {});

  async function step(): Promise<void> {
    const before = outage;
    outage = await decide();
    if (outage !== before) {
      if (outage === null) log.info({ network }, 'the network settles again');
      else log.warn({ network, outage, ...walletsOf(outage) }, `the network leaves the terms: ${OUTAGES[outage]}`);
    }
    if (outage === 'nodes_disagree') await writeDoubt(store, network, now());
    const second = comparison === null ? null : comparison.compares() ? 'compared' : 'left_out';
    if (hold.isHeld()) await writeStanding(store, network, { outage, second, coins: coins(), sinceMs, atMs: now() });
  }

  const everyMs = () => (isWell ? WELL_EVERY_MS : EVERY_MS);
  const job = startJob({ name: `standing of ${network}`, everyMs, log, step });
  await job.run();
  return job;
}
