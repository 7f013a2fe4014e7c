import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { AppError } from '../../core/errors.ts';
import { lastBeat } from '../../db/store/heartbeats.ts';
import { signingStops } from '../../db/store/stops.ts';
import { allowAnyOrigin } from '../http/cors.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { answerError } from '../payments/answers.ts';
import type { ApiEnv } from '../http/env.ts';
import { createSolvencyCheck, toSolvencyAnswer } from './solvency.ts';

/** A role without a sign of life for this long does not serve. */
const STALE_MS = 15_000;

type Readiness = Record<string, 'ok' | 'down'>;

/**
 * `GET /health/live`: the process answers. `GET /health/ready`: API, worker, queue and chains serve.
 * `GET /health/solvency`: what is owed is there.
 */
export function createHealthApp(dependencies: ApiDependencies): Hono<ApiEnv> {
  const checkSolvency = createSolvencyCheck(dependencies);
  const app = new Hono<ApiEnv>();
  app.use('/health/*', allowAnyOrigin('GET, HEAD, OPTIONS'), neverStored);
  app.get('/health/live', (c) => c.json({ code: 200, msg: 'alive' }));
  app.get('/health/ready', async (c) => {
    const parts = await readiness(dependencies);
    const ready = Object.values(parts).every((part) => part === 'ok');
    const paused = (await signingStops(dependencies.store)).length > 0;
    const status = ready ? 200 : 503;
    return c.json({ code: status, msg: ready ? 'ready' : 'not ready', paused, parts }, status);
  });
  app.get('/health/solvency', async (c) => {
    const answer = toSolvencyAnswer(await checkSolvency());
    return c.json(answer, answer.code);
  });
  app.onError((error, c) => {
    dependencies.log.error({ err: error, requestId: c.get('requestId'), path: c.req.path }, 'a health check failed');
    return answerError(c, new AppError('internal_error'));
  });
  return app;
}

/** A stored answer would show an old state. */
const neverStored = createMiddleware<ApiEnv>(async (c, next) => {
  c.header('Cache-Control', 'no-store');
  await next();
});

async function readiness(dependencies: ApiDependencies): Promise<Readiness> {
  const { store, now, networks, queueAnswers, startedAtMs } = dependencies;
  const alive = async (name: string) => {
    const heartbeat = await lastBeat(store, name);
    // A beat from before this start may come from a dead process.
    return heartbeat !== null && heartbeat.atMs >= startedAtMs && now() - heartbeat.atMs < STALE_MS ? 'ok' : 'down';
  };
  const parts: Readiness = { api: 'ok', worker: await alive('worker'), queue: (await queueAnswers()) ? 'ok' : 'down' };
  for (const { terms } of networks) parts[terms.network] = await alive(`worker:${terms.network}`);
  return parts;
}
