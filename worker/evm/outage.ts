import { feesFor, gasLimitFor } from '../../chain/evm/rpc/fees.ts';
import type { CoinLevel } from '../../core/costs/coins.ts';
import type { Outage } from '../../core/payments/outages.ts';
import type { Lane } from '../../chain/signing/evm.ts';
import type { EvmWorker } from '../dependencies.ts';
import type { Heads } from '../../chain/evm/heads.ts';

/** A payment's window is short: with a clock this far off every proof is refused, or lands too late. */
const CLOCK_MAX_SECONDS = 120;
/** A lane that cannot pay for a batch of this many items is left out until it is funded. */
const BATCH_ITEMS = 10;
/** A billionth of the coin is one gwei. */
const WEI_PER_UNIT = 1_000_000_000n;

export type GasWatch = {
  /** Why no payment could be settled now. */
  findOutage: () => Promise<Outage | null>;
  /** Whether this lane had too little for a batch at the last look. */
  isDry: (lane: Lane) => boolean;
  /** What each lane had at the last look. */
  coins: () => readonly CoinLevel[];
};

type Watched = Pick<EvmWorker, 'profile' | 'treasury' | 'lanes' | 'now' | 'log'> & { heads: Heads };

/** How old a block may be for a look to rely on it. */
const HEAD_LASTS_MS = 2_500;

/** A look is one question when the scan has just read the newest block. */
export function watchEvm({ heads, profile, treasury, lanes, now, log }: Watched): GasWatch {
  let dry = new Set<string>();
  let coins: readonly CoinLevel[] = [];

  function noteDry(found: readonly Lane[]): void {
    for (const { address } of found) {
      if (!dry.has(address))
        log.warn({ network: profile.network, lane: address }, 'this lane has too little gas money');
    }
    dry = new Set(found.map(({ address }) => address));
  }

  async function findOutage(): Promise<Outage | null> {
    const payers = lanes.map(({ address }) => address);
    const [{ latest, safe }, { isPaused, isBarred, balancesWei }] = await Promise.all([
      heads.recent(HEAD_LASTS_MS),
      heads.rpc.settlingState(treasury.address, payers),
    ]);
    const fees = feesFor(latest.baseFee, profile.rules);
    if (fees === null) return 'fees';
    const least = gasLimitFor(BATCH_ITEMS) * fees.maxFeePerGas;
    coins = lanes.map(({ address }, index) => ({
      role: 'lane',
      address,
      units: (balancesWei[index] ?? 0n) / WEI_PER_UNIT,
      leastUnits: least / WEI_PER_UNIT,
    }));
    noteDry(lanes.filter((_lane, index) => (balancesWei[index] ?? 0n) < least));
    if (isPaused) return 'token_paused';
    if (isBarred) return 'treasury_barred';
    if (dry.size === lanes.length) return 'no_gas';
    if (Math.abs(now() / 1_000 - latest.time) > CLOCK_MAX_SECONDS) return 'clock';
    return latest.time - safe.time > profile.rules.lagMaxSeconds ? 'finality' : null;
  }

  return { findOutage, isDry: ({ address }) => dry.has(address), coins: () => coins };
}
