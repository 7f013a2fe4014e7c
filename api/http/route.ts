import type { Context } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { ApiEnv } from './env.ts';

/**
 * The pattern of the route that a request came to, for logs. Never its path: a receipt's address and a mail's link let
 * their reader in, and a claim's page names a person.
 */
export function routeOf(c: Context<ApiEnv>): string {
  return matchedRoutes(c).findLast(({ path }) => !path.includes('*'))?.path ?? 'none';
}
