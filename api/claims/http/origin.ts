import type { Context } from 'hono';
import { AppError } from '../../../core/errors.ts';
import type { ApiEnv } from '../../http/env.ts';

/**
 * A browser sends its cookie along whoever's page made it ask, so it is asked whose page that was. A browser always
 * says so, and no page can change what it says; a program that says nothing has no cookie of anybody else. Throws
 * AppError.
 */
export function assertOwnOrigin(c: Context<ApiEnv>, { baseUrl }: { baseUrl: string }): void {
  const site = c.req.header('Sec-Fetch-Site');
  // `none`: the person did it, such as loading the answer to a form again.
  if (site === 'same-origin' || site === 'none') return;
  const origin = c.req.header('Origin');
  if (site === undefined && (origin === undefined || origin === new URL(baseUrl).origin)) return;
  throw new AppError('wrong_origin');
}
