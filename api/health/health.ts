import { lastBeat } from '../../db/store/heartbeats.ts';
import { signingStops } from '../../db/store/stops.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';

/** A role without a sign of life for this long does not serve. */
const STALE_MS = 15_000;

type Sign = 'ok' | 'down';

/** Everything that has to serve for payments to be taken, settled and paid out. */
export type Health = {
  /** True while nothing is signed. */
  isPaused: boolean;
  parts: Record<'queue' | 'worker', Sign>;
  networks: Record<string, Sign>;
};

/** Throws when the database does not answer. */
export async function readHealth(dependencies: ApiDependencies): Promise<Health> {
  const { store, now, networks, queueAnswers, startedAtMs } = dependencies;
  const signOf = async (name: string): Promise<Sign> => {
    const heartbeat = await lastBeat(store, name);
    // A beat from before this start may come from a dead process.
    return heartbeat !== null && heartbeat.atMs >= startedAtMs && now() - heartbeat.atMs < STALE_MS ? 'ok' : 'down';
  };
  const signs: Record<string, Sign> = {};
  for (const { terms } of networks) signs[terms.network] = await signOf(`worker:${terms.network}`);
  return {
    isPaused: (await signingStops(store)).length > 0,
    parts: { queue: (await queueAnswers()) ? 'ok' : 'down', worker: await signOf('worker') },
    networks: signs,
  };
}

export function isAllServing({ parts, networks }: Health): boolean {
  return [...Object.values(parts), ...Object.values(networks)].every((sign) => sign === 'ok');
}
