import type { Context } from 'hono';
import { AppError } from '../../../core/errors.ts';
import type { ApiEnv } from '../../http/env.ts';

/**
 * A browser sends its cookie with a request from any page, so the page's origin is checked. Browsers always send it and
 * no page can change it; a program that sends none has no visitor's cookie. Throws AppError.
 */
export function assertOwnOrigin(c: Context<ApiEnv>, { baseUrl }: { baseUrl: string }): void {
  const site = c.req.header('Sec-Fetch-Site');
  // `none`: the person did it, such as loading the answer to a form again.
  if (site === 'same-origin' || site === 'none') return;
  const origin = c.req.header('Origin');
  if (site === undefined && (origin === undefined || origin === new URL(baseUrl).origin)) return;
  throw new AppError('wrong_origin');
}
