import { Hono } from 'hono';
import { CATALOG_ROWS } from '../core/catalog/operations.ts';
import type { NamedRow } from '../core/catalog/row.ts';
import { createStreamPlaces } from '../queue/stream-places.ts';
import { createA2aApp } from './a2a/http/app.ts';
import { createClaimsApp } from './claims/http/app.ts';
import { namesLinks } from './claims/http/held-link.ts';
import { toClaimsApp } from './claims/http/mount.ts';
import type { ApiDependencies } from './environment/dependencies.ts';
import { createHealthApp } from './health/app.ts';
import { createMcpApp } from './mcp/app.ts';
import { createMetricsApp } from './metrics/app.ts';
import type { Metrics } from './metrics/metrics.ts';
import { createNoticesApp } from './notices/app.ts';
import { createOpenApiApp } from './openapi/app.ts';
import { createNotFound, createPagesApp, createRefusal, previewsOf } from './pages/app.ts';
import type { Previews } from './receipts/preview.ts';
import { createRestApp } from './rest/app.ts';
import { nameRequests } from './environment/request-id.ts';
import type { ApiEnv } from './http/env.ts';
import { limitRequests } from './environment/limit.ts';
import { traceRequests } from './environment/trace-requests.ts';
import { takeTurns } from './environment/turns.ts';

/** Without a token requests are counted here and read elsewhere. */
export type MountedMetrics = { metrics: Metrics; token: string | null };

type FrontParts = { metrics?: Metrics | null; isProven?: (request: Request) => boolean };

/** What every request passes first: it gets its id, and its caller is counted. */
export function createFront(
  dependencies: ApiDependencies,
  { metrics = null, isProven }: FrontParts = {},
): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  // First, so that it sees every answer.
  if (metrics !== null) app.use(metrics.countRequests);
  if (dependencies.traces) app.use(traceRequests(dependencies.traces));
  const linkOf = namesLinks(dependencies);
  app.use(
    nameRequests(dependencies),
    limitRequests(dependencies, isProven, linkOf),
    takeTurns({ ...dependencies, linkOf }),
  );
  app.onError(createRefusal(dependencies));
  return app;
}

/** Everything the API serves; `rows` are the catalog. A process without the API role still answers health checks. */
export function createApi(
  given: ApiDependencies,
  serves: boolean,
  mounted: MountedMetrics | null = null,
  rows: readonly NamedRow[] = CATALOG_ROWS,
): Hono<ApiEnv> {
  const app = createFront(given, { metrics: mounted?.metrics ?? null });
  app.route('/', createHealthApp(given));
  if (mounted !== null && mounted.token !== null) {
    app.route('/', createMetricsApp(mounted.metrics, { token: mounted.token }, given.log));
  }
  if (serves) {
    const previews = previewsOf(given, () => given.responses.isQuiet());
    const dependencies = { ...given, responses: drawWhenHanded(given.responses, previews) };
    const places = createStreamPlaces({ total: dependencies.streamsMax });
    app.route('/', createPagesApp(dependencies, places, previews));
    app.route('/', createNoticesApp(dependencies));
    app.route('/', createClaimsApp(toClaimsApp(dependencies, places)));
    app.route('/', createRestApp(dependencies, rows));
    app.route('/', createMcpApp(dependencies, rows));
    app.route('/', createA2aApp(dependencies, rows, places));
    app.route('/', createOpenApiApp(dependencies, rows));
    app.notFound(createNotFound(dependencies));
  }
  return app;
}

/** A caller with the answer knows the receipts' addresses: their pictures are drawn before anyone asks, once no caller waits. */
function drawWhenHanded(
  responses: ApiDependencies['responses'],
  { prepare }: Pick<Previews, 'prepare'>,
): ApiDependencies['responses'] {
  return {
    ...responses,
    hand: async (connection, paymentId) => {
      await responses.hand(connection, paymentId);
      setImmediate(() => prepare(paymentId));
    },
  };
}
