import { Hono } from 'hono';
import type { Logger } from 'pino';
import { AppError } from '../../core/errors.ts';
import { answerError } from '../payments/answers.ts';
// One constant-time comparison serves every token of the service.
import { hasBotToken as hasToken } from '../http/caller.ts';
import type { ApiEnv } from '../http/env.ts';
import type { Metrics } from './metrics.ts';

/** Who gets an answer: every caller that reaches the port, or only one with this token. */
export type MetricsAccess = 'everyone' | { token: string };

/** `GET /metrics`. A caller without access is passed on, and gets exactly what an unknown address gets. */
export function createMetricsApp(metrics: Metrics, access: MetricsAccess, log: Logger): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.get('/metrics', async (c, next) => {
    if (access !== 'everyone' && !hasToken(c, access.token)) return next();
    const { contentType, text } = await metrics.render();
    return c.body(text, 200, { 'Content-Type': contentType, 'Cache-Control': 'no-store' });
  });
  app.onError((error, c) => {
    log.error({ err: error, requestId: c.get('requestId') }, 'metrics could not be written');
    return answerError(c, new AppError('internal_error'));
  });
  return app;
}
