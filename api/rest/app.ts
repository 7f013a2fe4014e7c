import { Hono, type Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { AppError } from '../../core/errors.ts';
import { allowAnyOrigin } from '../cors.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { answerError } from './answers.ts';
import { cancelPayment } from './cancel.ts';
import type { ApiEnv } from './env.ts';
import { limitCaller } from './limits.ts';
import { nameRequests } from './request-id.ts';
import { payAcross, payBatch, paySingle } from './payments.ts';
import { validatePayment } from './validate.ts';

/** What each address takes; `Allow` names everything that is not refused there. */
const METHODS = [
  ['/payments/batch-pay', 'POST', 'POST, OPTIONS'],
  ['/payments/validate', 'GET', 'GET, HEAD, OPTIONS'],
  ['/payments/:platform/pay', 'POST', 'POST, OPTIONS'],
  ['/payments/:platform/batch-pay', 'POST', 'POST, OPTIONS'],
  ['/payments/:txn_id/cancel', 'POST', 'POST, OPTIONS'],
] as const;

/** The HTTP interface for programs. Pages, receipts and health are mounted beside it. */
export function createRestApp(dependencies: ApiDependencies): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.use(nameRequests(dependencies));
  app.use('/payments/*', allowAnyOrigin('GET, POST, OPTIONS'), createPaymentGate(dependencies));
  app.post('/payments/:platform/pay', (c) => paySingle(c, dependencies));
  app.post('/payments/batch-pay', (c) => payAcross(c, dependencies));
  app.post('/payments/:platform/batch-pay', (c) => payBatch(c, dependencies));
  app.get('/payments/validate', (c) => validatePayment(c, dependencies));
  app.post('/payments/:txn_id/cancel', (c) => cancelPayment(c, dependencies));
  for (const [path, method, allowed] of METHODS) {
    app.all(path, (c) => {
      c.header('Allow', allowed);
      throw new AppError('method_not_allowed', { detail: `This address takes ${method}.` });
    });
  }
  return withErrorAnswers(app, dependencies);
}

/** What every payment route shares: nothing is cached, and callers are counted. Preflights never get this far. */
function createPaymentGate(dependencies: ApiDependencies) {
  return createMiddleware<ApiEnv>(async (c, next) => {
    c.header('Cache-Control', 'no-store');
    await limitCaller(c as Context<ApiEnv>, dependencies);
    return next();
  });
}

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
