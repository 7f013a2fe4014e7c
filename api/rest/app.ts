import { Hono, type Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { CATALOG_ROWS } from '../../core/catalog/operations.ts';
import type { CatalogRow } from '../../core/catalog/row.ts';
import { AppError } from '../../core/errors.ts';
import { registerEndpoint } from '../events/register.ts';
import { allowAnyOrigin } from '../http/cors.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { answerError } from '../payments/answers.ts';
import { refuseOverLimit } from '../payments/caller-limit.ts';
import { proofHeaderOf } from '../payments/proof-header.ts';
import { cancelPayment } from './cancel.ts';
import type { ApiEnv } from '../http/env.ts';
import { routeOf } from '../http/route.ts';
import { nameRequests } from '../environment/request-id.ts';
import { servePaid } from './payments.ts';
import { REWARD_METHODS, serveConfirmation, serveRewards } from './rewards.ts';
import { validatePayment } from './validate.ts';

/** What each address takes beside the paid operations; `Allow` names everything that is not refused there. */
const METHODS = [
  ['/payments/validate', 'GET', 'GET, HEAD, OPTIONS'],
  ['/payments/:txn_id/cancel', 'POST', 'POST, OPTIONS'],
  ['/events/endpoints', 'POST', 'POST, OPTIONS'],
  ...REWARD_METHODS,
] as const;

/** The HTTP interface for programs. Pages, receipts and health are mounted beside it. */
export function createRestApp(dependencies: ApiDependencies, rows: readonly CatalogRow[] = CATALOG_ROWS): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.use(nameRequests(dependencies));
  for (const path of ['/payments/*', '/rewards/*', '/events/*']) {
    app.use(path, allowAnyOrigin('GET, POST, OPTIONS'), createPaymentGate(dependencies));
  }
  const paid = rows.flatMap((row) =>
    row.paid === null ? [] : [{ row, paid: row.paid, path: row.path.replaceAll(/\{(\w+)\}/g, ':$1') }],
  );
  for (const { row, paid: operation, path } of paid) {
    if (operation.kind === 'confirm-distribution') app.post(path, serveConfirmation(row, dependencies));
    else app.post(path, servePaid(row, operation, dependencies));
  }
  app.get('/payments/validate', (c) => validatePayment(c, dependencies));
  app.post('/payments/:txn_id/cancel', (c) => cancelPayment(c, dependencies));
  app.post('/events/endpoints', (c) => registerEndpoint(c, dependencies));
  serveRewards(app, dependencies);
  const posted = paid.map(({ path }) => [path, 'POST', 'POST, OPTIONS'] as const);
  for (const [path, method, allowed] of [...posted, ...METHODS]) {
    app.all(path, (c) => {
      c.header('Allow', allowed);
      throw new AppError('method_not_allowed', { detail: `This address takes ${method}.` });
    });
  }
  return withErrorAnswers(app, dependencies);
}

/** What every payment route shares: nothing is cached, and callers over their limit go. Preflights never get this far. */
function createPaymentGate(dependencies: Pick<ApiDependencies, 'store' | 'networks'>) {
  return createMiddleware<ApiEnv>(async (c, next) => {
    c.header('Cache-Control', 'no-store');
    await refuseOverLimit(c as Context<ApiEnv>, dependencies, () => proofHeaderOf(c as Context<ApiEnv>));
    return next();
  });
}

/** One shape for every failure; what is not expected is logged here and never shown. */
function withErrorAnswers(app: Hono<ApiEnv>, { log }: Pick<ApiDependencies, 'log'>): Hono<ApiEnv> {
  app.onError((error, c) => {
    if (error instanceof AppError) return answerError(c, error);
    log.error({ err: error, requestId: c.get('requestId'), route: routeOf(c) }, 'a request failed unexpectedly');
    return answerError(c, new AppError('internal_error'));
  });
  app.notFound((c) => answerError(c, new AppError('not_found')));
  return app;
}
