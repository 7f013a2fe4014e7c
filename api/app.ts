import { Hono } from 'hono';
import { CATALOG_ROWS } from '../core/catalog/operations.ts';
import type { NamedRow } from '../core/catalog/row.ts';
import { createA2aApp } from './a2a/http/app.ts';
import { createClaimsApp } from './claims/http/app.ts';
import { toClaimsApp } from './claims/http/mount.ts';
import type { ApiDependencies } from './environment/dependencies.ts';
import { createHealthApp } from './health/app.ts';
import { createMcpApp } from './mcp/app.ts';
import { createMetricsApp } from './metrics/app.ts';
import type { Metrics } from './metrics/metrics.ts';
import { createNoticesApp } from './notices/app.ts';
import { createOpenApiApp } from './openapi/app.ts';
import { createNotFound, createPagesApp } from './pages/app.ts';
import { createRestApp } from './rest/app.ts';
import { nameRequests } from './environment/request-id.ts';
import type { ApiEnv } from './http/env.ts';

/** Without a token requests are counted here and read elsewhere. */
export type MountedMetrics = { metrics: Metrics; token: string | null };

/** Everything the API serves; `rows` are the catalog. A process without the API role still answers health checks. */
export function createApi(
  dependencies: ApiDependencies,
  serves: boolean,
  mounted: MountedMetrics | null = null,
  rows: readonly NamedRow[] = CATALOG_ROWS,
): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  // First, so that it sees every answer.
  if (mounted !== null) app.use(mounted.metrics.countRequests);
  app.use(nameRequests(dependencies));
  app.route('/', createHealthApp(dependencies));
  if (mounted !== null && mounted.token !== null) {
    app.route('/', createMetricsApp(mounted.metrics, { token: mounted.token }, dependencies.log));
  }
  if (serves) {
    app.route('/', createPagesApp(dependencies));
    app.route('/', createNoticesApp(dependencies));
    app.route('/', createClaimsApp(toClaimsApp(dependencies)));
    app.route('/', createRestApp(dependencies, rows));
    app.route('/', createMcpApp(dependencies, rows));
    app.route('/', createA2aApp(dependencies, rows));
    app.route('/', createOpenApiApp(dependencies, rows));
    app.notFound(createNotFound(dependencies));
  }
  return app;
}
