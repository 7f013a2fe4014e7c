import { createMiddleware } from 'hono/factory';
import type { ApiDependencies } from './dependencies.ts';
import type { ApiEnv } from '../http/env.ts';

/** Every answer says under which id it is found in the log; once, however many apps are mounted in each other. */
export function nameRequests({ ids }: Pick<ApiDependencies, 'ids'>) {
  return createMiddleware<ApiEnv>(async (c, next) => {
    if (c.get('requestId') === undefined) c.set('requestId', ids.requestId());
    c.header('X-Request-Id', c.get('requestId'));
    c.header('X-Content-Type-Options', 'nosniff');
    await next();
  });
}
