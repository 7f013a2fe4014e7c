import { Hono } from 'hono';
import type { ApiDependencies } from './dependencies.ts';
import { createHealthApp } from './health.ts';
import { createOpenApiApp } from './openapi/app.ts';
import { createNotFound, createPagesApp } from './pages/app.ts';
import { createRestApp } from './rest/app.ts';
import { nameRequests } from './rest/request-id.ts';
import type { ApiEnv } from './rest/env.ts';

/** Everything the API serves. A process without the API role still answers for its health. */
export function createApi(dependencies: ApiDependencies, serves: boolean): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.use(nameRequests(dependencies));
  app.route('/', createHealthApp(dependencies));
  if (serves) {
    app.route('/', createPagesApp(dependencies));
    app.route('/', createRestApp(dependencies));
    app.route('/', createOpenApiApp(dependencies));
    app.notFound(createNotFound(dependencies));
  }
  return app;
}
