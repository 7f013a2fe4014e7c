import { AppError } from '../../core/errors.ts';
import {
  costLine,
  expectedCost,
  movesInCircles,
  shareCap,
  shareOf,
  type CostRules,
  type CostShare,
} from '../../core/costs/allowance.ts';
import { familyOf, networkTitle, type Network } from '../../core/networks.ts';
import { costCounters } from '../../db/costs/counters.ts';
import { isProvenPayment, readRoundTrips, type Paying } from '../../db/costs/standing.ts';
import { dayOf, nextDayMs } from '../../db/limits/daily.ts';
import { takeWithin } from '../../db/store/counters.ts';
import type { Store } from '../../db/store/store.ts';

/** The budget is taken from the database in chunks, so that payments do not all write the same row. */
const CHUNKS_OF_DAY = 200n;

/** How long the same request counts as a retry. */
const REFUSED_MS = 15 * 60_000;
const REFUSED_MAX = 10_000;

export type CostsOptions = {
  store: Store;
  now: () => number;
  rules: Readonly<Partial<Record<Network, CostRules>>>;
  /** How long a platform must have known an account for it to count. */
  ageMinMs: number;
};

export type Costs = ReturnType<typeof createCosts>;

/** What a payment takes from the day's budget, so that it can be given back. */
export type Granted = { network: Network; units: bigint; pool: string; day: string };

/** Who pays for gas: the operator, within the day's budget and for the payers it is meant for; else the payment. */
export function createCosts({ store, now, rules, ageMinMs }: CostsOptions) {
  const pools = new Map<string, bigint>();
  const usedUp = new Map<Network, string>();
  let poolsOf = '';

  /** What is left of a chunk ends with its day. */
  function today(): string {
    const day = dayOf(now());
    if (day !== poolsOf) pools.clear();
    poolsOf = day;
    return day;
  }

  async function take({ network, day, pool }: Omit<Granted, 'units'>, units: bigint, cap: bigint): Promise<boolean> {
    const left = pools.get(pool) ?? 0n;
    if (left >= units) {
      pools.set(pool, left - units);
      return true;
    }
    const chunk = cap / CHUNKS_OF_DAY > units ? cap / CHUNKS_OF_DAY : units;
    const counter = costCounters.gas(network, day);
    if (!(await store.tx((db) => takeWithin(db, store, counter, chunk, cap)))) return false;
    if (day === today()) pools.set(pool, (pools.get(pool) ?? 0n) + chunk - units);
    return true;
  }

  /** Null: it always has to pay for itself. */
  async function shareFor(sumMicroUsdc: bigint, paying: Paying): Promise<CostShare | null> {
    if (paying.isAgreed) return 'agreed';
    if (movesInCircles(await readRoundTrips(store, paying.payer, now()))) return null;
    return shareOf({ sumMicroUsdc, isProven: await isProvenPayment(store, paying, now() - ageMinMs) });
  }

  return {
    /** What the payment pays where its cost is charged; 0 where it never is. */
    lineOf(network: Network, lines: number): bigint {
      const rule = rules[network];
      return rule === undefined || rule.dailyUnits === null ? 0n : costLine(rule, lines);
    },
    /** From memory: today's free part of this network is used up, so everyone is charged the cost. */
    isUsedUp: (network: Network): boolean => usedUp.get(network) === today(),
    ...createRefusals(now),
    /** Whether this payer's money of the last day went in circles. Asked for the networks of the address only. */
    async isCircling(network: Network, payer: string): Promise<boolean> {
      if ((rules[network]?.dailyUnits ?? null) === null || !isAddressOf(network, payer)) return false;
      return movesInCircles(await readRoundTrips(store, payer, now()));
    },
    /** Takes a payment's cost from the day's budget; null where it has to pay for itself. */
    async grant(network: Network, sumMicroUsdc: bigint, lines: number, paying: Paying): Promise<Granted | null> {
      const units = expectedCost(network, lines);
      const dailyUnits = rules[network]?.dailyUnits ?? null;
      if (dailyUnits === null) return { network, units: 0n, pool: '', day: today() };
      const share = await shareFor(sumMicroUsdc, paying);
      if (share === null) return null;
      const pool = `${network}:${share}`;
      const day = today();
      if (await take({ network, day, pool }, units, shareCap(dailyUnits, share))) return { network, units, pool, day };
      if (share === 'proven') usedUp.set(network, day);
      return null;
    },
    /** The grant was not used. What is left of a day is not carried over to the next. */
    giveBack({ units, pool, day }: Granted): void {
      if (units > 0n && day === today()) pools.set(pool, (pools.get(pool) ?? 0n) + units);
    },
  };
}

/** `name`: a payer or a caller, and what they asked for. When they come again they are charged the cost at once. */
function createRefusals(now: () => number) {
  /** Until when they are remembered; the oldest first. */
  const refused = new Map<string, number>();
  return {
    noteRefused(network: Network, name: string): void {
      const key = `${network} ${name}`;
      refused.delete(key);
      refused.set(key, now() + REFUSED_MS);
      if (refused.size > REFUSED_MAX) refused.delete(refused.keys().next().value ?? key);
    },
    wasRefused: (network: Network, name: string): boolean => (refused.get(`${network} ${name}`) ?? 0) > now(),
  };
}

function isAddressOf(network: Network, payer: string): boolean {
  switch (familyOf(network)) {
    case 'evm':
      return /^0x[0-9a-fA-F]{40}$/.test(payer);
    case 'svm':
      return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(payer);
  }
}

/** The operator charges no cost, so the network is out until the next day. */
export function nothingLeft(network: Network, nowMs: number): AppError {
  const detail = `${networkTitle(network, null)} is out for today: what it may cost in a day is used up.`;
  const retryAfterSeconds = Math.ceil((nextDayMs(nowMs) - nowMs) / 1_000);
  return new AppError('network_unavailable', { detail, retryAfterSeconds });
}
