import { Hono, type Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { AppError } from '../../core/errors.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { answerError } from './answers.ts';
import { cancelPayment } from './cancel.ts';
import type { ApiEnv } from './env.ts';
import { limitCaller } from './limits.ts';
import { nameRequests } from './request-id.ts';
import { payAcross, payBatch, paySingle } from './payments.ts';
import { validatePayment } from './validate.ts';

/** Headers that clients send; the x402 client even sends an `Access-Control-Expose-Headers` request header. */
const ALLOWED_HEADERS = [
  'Content-Type',
  'Accept',
  'Authorization',
  'PAYMENT-SIGNATURE',
  'X-PAYMENT',
  'x-payment-response',
  'Idempotency-Key',
  'X-Request-Id',
  'Access-Control-Expose-Headers',
].join(', ');

const EXPOSED_HEADERS = [
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
  'X-PAYMENT-RESPONSE',
  'payment-error',
  'Idempotent-Replayed',
  'X-Request-Id',
  'Retry-After',
].join(', ');

/** The HTTP interface for programs. Pages, receipts and health are mounted beside it. */
export function createRestApp(dependencies: ApiDependencies): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.use(nameRequests(dependencies));
  app.use('/payments/*', createPaymentGate(dependencies));
  app.post('/payments/:platform/pay', (c) => paySingle(c, dependencies));
  app.post('/payments/batch-pay', (c) => payAcross(c, dependencies));
  app.post('/payments/:platform/batch-pay', (c) => payBatch(c, dependencies));
  app.get('/payments/validate', (c) => validatePayment(c, dependencies));
  app.post('/payments/:txn_id/cancel', (c) => cancelPayment(c, dependencies));
  for (const path of ['/payments/:platform/pay', '/payments/:platform/batch-pay', '/payments/batch-pay']) {
    app.all(path, (c) => {
      c.header('Allow', 'POST, OPTIONS');
      throw new AppError('method_not_allowed', { detail: 'This address takes POST.' });
    });
  }
  return withErrorAnswers(app, dependencies);
}

/** What every payment route shares: any origin may call, nothing is cached, and callers are counted. */
function createPaymentGate(dependencies: ApiDependencies) {
  return createMiddleware<ApiEnv>(async (c, next) => {
    c.header('Cache-Control', 'no-store');
    c.header('Access-Control-Allow-Origin', '*');
    c.header('Access-Control-Expose-Headers', EXPOSED_HEADERS);
    if (c.req.method === 'OPTIONS') return c.body(null, 204, PREFLIGHT_HEADERS);
    await limitCaller(c as Context<ApiEnv>, dependencies);
    return next();
  });
}

const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
  'Access-Control-Allow-Headers': ALLOWED_HEADERS,
  'Access-Control-Max-Age': '7200',
};

/** One shape for every failure; what is not expected is logged here and never shown. */
function withErrorAnswers(app: Hono<ApiEnv>, { log }: ApiDependencies): Hono<ApiEnv> {
  app.onError((error, c) => {
    if (error instanceof AppError) return answerError(c, error);
    log.error({ err: error, requestId: c.get('requestId'), path: c.req.path }, 'a request failed unexpectedly');
    return answerError(c, new AppError('internal_error'));
  });
  app.notFound((c) => answerError(c, new AppError('not_found')));
  return app;
}
