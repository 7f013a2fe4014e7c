import { createMiddleware } from 'hono/factory';
import type { ApiDependencies } from './dependencies.ts';
import type { ApiEnv } from '../http/env.ts';

/** Gives every answer the id that the log has it under; once, however deep apps are mounted in each other. */
export function nameRequests({ ids }: Pick<ApiDependencies, 'ids'>) {
  return createMiddleware<ApiEnv>(async (c, next) => {
    if (c.get('requestId') !== undefined) return next();
    c.set('requestId', ids.requestId());
    c.header('X-Request-Id', c.get('requestId'));
    c.header('X-Content-Type-Options', 'nosniff');
    return next();
  });
}
