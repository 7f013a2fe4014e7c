import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { AppError } from '../../core/errors.ts';
import { readSolvency } from '../../db/audit/solvency.ts';
import { signingStops } from '../../db/store/stops.ts';
import { allowAnyOrigin } from '../http/cors.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { answerError } from '../payments/answers.ts';
import type { ApiEnv } from '../http/env.ts';
import { routeOf } from '../http/route.ts';
import { within } from '../../queue/deadline.ts';
import { isAllServing, readHealth, toNetworkAnswers } from './health.ts';
import { toSolvencyAnswer } from './solvency.ts';

/** Longer than a database takes that serves at all. */
const DATABASE_LIMIT_MS = 2_000;

/**
 * `GET /health/live`: the process answers. `GET /health/ready`: the roles of this process serve, so it may be sent
 * requests. `GET /health`: everything, per network. `GET /health/solvency`: what is owed is there.
 */
export function createHealthApp(dependencies: ApiDependencies): Hono<ApiEnv> {
  const { log, now, store } = dependencies;
  const offered = dependencies.networks.map(({ terms }) => terms.network);
  const waitingFor = () => dependencies.process?.waitingFor() ?? [];
  const app = new Hono<ApiEnv>();
  app.use('/health/*', allowAnyOrigin('GET, HEAD, OPTIONS'), neverStored);
  app.get('/health/live', (c) => c.json({ code: 200, msg: 'alive' }));
  app.get('/health/ready', async (c) => {
    const parts = await ownParts(dependencies);
    const isReady = Object.values(parts).every((sign) => sign === 'ok');
    const status = isReady ? 200 : 503;
    return c.json({ code: status, msg: isReady ? 'ready' : 'not ready', parts, waiting_for: waitingFor() }, status);
  });
  app.get('/health', async (c) => {
    const health = await readHealth(dependencies).catch((error: unknown) => {
      log.warn({ err: error }, 'the health of the service could not be read');
      return null;
    });
    const isServing = health !== null && isAllServing(health);
    const status = isServing ? 200 : 503;
    const parts = { database: health === null ? 'down' : 'ok', ...health?.parts };
    return c.json(
      {
        code: status,
        msg: isServing ? 'everything serves' : 'something does not serve',
        paused: health?.isPaused ?? false,
        parts,
        networks: toNetworkAnswers(health ?? { networks: [] }),
        waiting_for: waitingFor(),
      },
      status,
    );
  });
  app.get('/health/solvency', async (c) => {
    const answer = toSolvencyAnswer(await readSolvency(store, offered), now());
    return c.json(answer, answer.code);
  });
  app.onError((error, c) => {
    log.error({ err: error, requestId: c.get('requestId'), route: routeOf(c) }, 'a health check failed');
    return answerError(c, new AppError('internal_error'));
  });
  return app;
}

/** A stored answer would show an old state. */
const neverStored = createMiddleware<ApiEnv>(async (c, next) => {
  c.header('Cache-Control', 'no-store');
  await next();
});

/** What this process needs in order to serve. It still gets requests when another role is missing. */
async function ownParts({
  process,
  store,
}: Pick<ApiDependencies, 'process' | 'store'>): Promise<Record<string, 'ok' | 'down'>> {
  const own = process?.isStopping() === true ? 'down' : 'ok';
  const database = await within(signingStops(store), DATABASE_LIMIT_MS).then(
    () => 'ok' as const,
    () => 'down' as const,
  );
  return { database, ...Object.fromEntries((process?.roles ?? []).map((role) => [role, own])) };
}
