import { findOutage, type Outage } from '../../core/payments/outages.ts';
import type { Network } from '../../core/networks.ts';
import { beat, lastBeat, type Heartbeat } from '../store/heartbeats.ts';
import type { Store } from '../store/store.ts';

/** Workers write every one to four seconds. Together with the API's two looks, a second apart, it shows within ten. */
const STANDING_FRESH_MS = 7_500;
/** A worker that begins, or a chain that was away, is given this long to be read to its newest block. */
const SCAN_FRESH_MS = 30_000;

/** `sinceMs`: from when on the worker that writes has looked at this network. */
export type Standing = { outage: Outage | null; sinceMs: number; atMs: number };

export async function writeStanding(store: Store, network: Network, standing: Standing): Promise<void> {
  const { outage, sinceMs, atMs } = standing;
  await beat(store, nameOf(network), { atMs, detail: { outage, sinceMs } });
}

/** Why payments on this network would not be settled now; null: they are. */
export async function readOutage(store: Store, network: Network, nowMs: number): Promise<Outage | null> {
  const [standing, scan] = await Promise.all([lastBeat(store, nameOf(network)), lastBeat(store, `worker:${network}`)]);
  if (standing === null || nowMs - standing.atMs > STANDING_FRESH_MS) return 'no_worker';
  const outage = findOutage(standing.detail['outage']);
  if (outage !== null) return outage;
  const sinceMs = Number(standing.detail['sinceMs'] ?? 0);
  return nowMs - Math.max(scanMs(scan), sinceMs) > SCAN_FRESH_MS ? 'behind' : null;
}

const nameOf = (network: Network): string => `standing:${network}`;
const scanMs = (scan: Heartbeat | null): number => scan?.atMs ?? 0;
