import { Hono } from 'hono';
import { lastBeat } from '../db/heartbeats.ts';
import { signingStops } from '../db/stops.ts';
import type { ApiDependencies } from './dependencies.ts';
import type { ApiEnv } from './rest/env.ts';

/** A role that has not shown a sign of life for this long does not serve. */
const STALE_MS = 15_000;

type Readiness = Record<string, 'ok' | 'down'>;

/** `GET /health/live`: the process answers. `GET /health/ready`: API, worker, queue and chains serve. */
export function createHealthApp(dependencies: ApiDependencies): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.get('/health/live', (c) => c.json({ code: 200, msg: 'alive' }));
  app.get('/health/ready', async (c) => {
    const parts = await readiness(dependencies);
    const ready = Object.values(parts).every((part) => part === 'ok');
    const paused = (await signingStops(dependencies.store)).length > 0;
    const status = ready ? 200 : 503;
    return c.json({ code: status, msg: ready ? 'ready' : 'not ready', paused, parts }, status);
  });
  return app;
}

async function readiness(dependencies: ApiDependencies): Promise<Readiness> {
  const { store, now, networks, queueAnswers, startedAtMs } = dependencies;
  const alive = async (name: string) => {
    const heartbeat = await lastBeat(store, name);
    // A beat from before this start may be that of a process that is gone.
    return heartbeat !== null && heartbeat.atMs >= startedAtMs && now() - heartbeat.atMs < STALE_MS ? 'ok' : 'down';
  };
  const parts: Readiness = { api: 'ok', worker: await alive('worker'), queue: (await queueAnswers()) ? 'ok' : 'down' };
  for (const { terms } of networks) parts[terms.network] = await alive(`worker:${terms.network}`);
  return parts;
}
