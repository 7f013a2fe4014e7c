import type { Context } from 'hono';
import { AppError } from '../../core/errors.ts';
import { pageOf } from '../../core/http/own-site.ts';
import type { ApiEnv } from './env.ts';

/** A browser sends its visitor's cookie from any page; a program has no visitor's cookie. Throws AppError. */
export function assertOwnOrigin(c: Context<ApiEnv>, { baseUrl }: { baseUrl: string }): void {
  const page = pageOf({ site: c.req.header('Sec-Fetch-Site'), origin: c.req.header('Origin') }, baseUrl);
  if (page === 'foreign') throw new AppError('wrong_origin');
}
