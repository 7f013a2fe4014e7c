import type { Network } from '../../core/networks.ts';
import { OUTAGES, type Outage } from '../../core/payments/outages.ts';
import type { StopOutage } from '../../core/payments/stops.ts';
import { readStandings } from '../../db/networks/standing.ts';
import { lastBeat } from '../../db/store/heartbeats.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';

/** A role without a sign of life for this long does not serve. */
const STALE_MS = 15_000;

/** What a stop brings, and only its end ends. */
const BY_A_STOP: ReadonlySet<Outage> = new Set<StopOutage>(['stopped', 'payments_stopped', 'wind_down']);

type Sign = 'ok' | 'down';

/** Who settles what, as the database says. */
export type Settling = {
  worker: Sign;
  networks: { network: Network; outage: Outage | null; payoutsStopped?: boolean }[];
};

/** Everything that has to serve for payments to be taken, settled and paid out. */
export type Health = {
  /** True while a stop keeps all networks from taking payments. */
  isPaused: boolean;
  parts: Record<'queue' | 'worker', Sign>;
  networks: Settling['networks'];
};

type Asked = Pick<ApiDependencies, 'store' | 'now' | 'networks' | 'startedAtMs'>;

/** Throws when the database does not answer; asks nothing else. */
export async function readSettling({ store, now, networks, startedAtMs }: Asked): Promise<Settling> {
  const heartbeat = await lastBeat(store, 'worker');
  // A beat from before this start may come from a dead process.
  const isAlive = heartbeat !== null && heartbeat.atMs >= startedAtMs && now() - heartbeat.atMs < STALE_MS;
  const names = networks.map(({ terms }) => terms.network);
  return { worker: isAlive ? 'ok' : 'down', networks: await readStandings(store, names, now()) };
}

/** The same with Redis. */
export async function readHealth(dependencies: ApiDependencies): Promise<Health> {
  const { worker, networks } = await readSettling(dependencies);
  const isPaused = networks.every(({ outage }) => outage !== null && BY_A_STOP.has(outage));
  const queue = (await dependencies.queueAnswers()) ? 'ok' : 'down';
  return { isPaused, parts: { queue, worker }, networks };
}

export function isAllServing({ parts, networks }: Health): boolean {
  return Object.values(parts).every((sign) => sign === 'ok') && networks.every(({ outage }) => outage === null);
}

/** Each network as `GET /health` tells it. */
export function toNetworkAnswers({ networks }: Pick<Health, 'networks'>) {
  return Object.fromEntries(
    networks.map(({ network, outage, payoutsStopped = false }) => [
      network,
      {
        ...(outage === null ? { serves: true } : { serves: false, reason: outage, detail: OUTAGES[outage] }),
        // Payments are taken all the same.
        ...(payoutsStopped ? { payouts: 'stopped' as const } : {}),
      },
    ]),
  );
}
