import { readLevels, storedLevels, type CoinLevel } from '../../core/costs/coins.ts';
import { findOutage, SECOND_NODES, type Outage, type SecondNode } from '../../core/payments/outages.ts';
import { isStopOn, kindOfStop, stopOutageOn } from '../../core/payments/stops.ts';
import type { Network } from '../../core/networks.ts';
import { signingStops } from '../store/stops.ts';
import { beat, lastBeat, type Heartbeat } from '../store/heartbeats.ts';
import type { Store } from '../store/store.ts';

/** Workers write every one to four seconds. Together with the API's two looks, a second apart, it shows within ten. */
const STANDING_FRESH_MS = 7_500;
/** A worker that begins, or a chain that was away, is given this long to be read to its newest block. */
const SCAN_FRESH_MS = 30_000;

/** What keeps a network out, and how its second node is found, where it has one. */
export type Standing = { outage: Outage | null; second: SecondNode | null };

/** The same with what our wallets there have of its coin; none where no worker looks. */
export type StandingWithCoins = Standing & { coins: readonly CoinLevel[] };

/** `sinceMs`: since when the worker that writes has looked at this network. */
export type LookedAt = Standing & { coins?: readonly CoinLevel[]; sinceMs: number; atMs: number };

export async function writeStanding(store: Store, network: Network, looked: LookedAt): Promise<void> {
  const { outage, second, coins = [], sinceMs, atMs } = looked;
  await beat(store, nameOf(network), { atMs, detail: { outage, second, sinceMs, coins: storedLevels(coins) } });
}

/** Any worker may see that its two nodes contradict each other; all of them stop signing then. */
export async function writeDoubt(store: Store, network: Network, atMs: number): Promise<void> {
  await beat(store, doubtOf(network), { atMs, detail: {} });
}

export async function isDoubted(store: Store, network: Network, nowMs: number): Promise<boolean> {
  const doubt = await lastBeat(store, doubtOf(network));
  return doubt !== null && nowMs - doubt.atMs <= STANDING_FRESH_MS;
}

/** Why payments on this network would not be settled now; null: they are. */
export async function readOutage(store: Store, network: Network, nowMs: number): Promise<Outage | null> {
  return (await readStanding(store, network, nowMs)).outage;
}

/** The same for several networks; stopped ones come first. */
export async function readStandings(
  store: Store,
  networks: readonly Network[],
  nowMs: number,
): Promise<(StandingWithCoins & { network: Network; payoutsStopped: boolean })[]> {
  const stops = await signingStops(store);
  const found = networks.map(async (network) => {
    const standing = await readStanding(store, network, nowMs);
    const payoutsStopped = stops.some((stop) => isStopOn(stop, network) && kindOfStop(stop) === 'payouts');
    return { network, ...standing, outage: stopOutageOn(stops, network) ?? standing.outage, payoutsStopped };
  });
  return Promise.all(found);
}

async function readStanding(store: Store, network: Network, nowMs: number): Promise<StandingWithCoins> {
  const [standing, scan, doubted] = await Promise.all([
    lastBeat(store, nameOf(network)),
    lastBeat(store, `worker:${network}`),
    isDoubted(store, network, nowMs),
  ]);
  if (standing === null || nowMs - standing.atMs > STANDING_FRESH_MS)
    return { outage: 'no_worker', second: null, coins: [] };
  const coins = readLevels(standing.detail['coins']);
  const second = SECOND_NODES.find((known) => known === standing.detail['second']) ?? null;
  const outage = doubted ? 'nodes_disagree' : findOutage(standing.detail['outage']);
  if (outage !== null) return { outage, second, coins };
  const sinceMs = Number(standing.detail['sinceMs'] ?? 0);
  return { outage: nowMs - Math.max(scanMs(scan), sinceMs) > SCAN_FRESH_MS ? 'behind' : null, second, coins };
}

const nameOf = (network: Network): string => `standing:${network}`;
const doubtOf = (network: Network): string => `doubt:${network}`;
const scanMs = (scan: Heartbeat | null): number => scan?.atMs ?? 0;
