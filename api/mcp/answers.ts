import type { Context } from 'hono';
import { AppError } from '../../core/errors.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import type { ApiEnv } from '../http/env.ts';
import { routeOf } from '../http/route.ts';
import type { Answered } from './exchange.ts';
import { isRecord } from './record.ts';
import { refusalOf, toRefusal, type Refusal } from './refusal.ts';

/** What a message is answered with over HTTP; failures inside a method are 200, as JSON-RPC has it. */
const STATUSES = [200, 202, 400, 403, 404, 405, 413, 415, 429] as const;
type Status = (typeof STATUSES)[number] | 500;

export function answerJson(c: Context<ApiEnv>, { status, body }: Answered): Response {
  if (body === null) return c.body(null, 202);
  const known: Status = STATUSES.find((one) => one === status) ?? 500;
  if (isRecord(body['error'])) return c.json(named(c, body, body['error']), known);
  return c.json(body, known);
}

/** Every failure carries the id that the log has it under, and over HTTP also when to retry. */
function named(c: Context<ApiEnv>, body: Record<string, unknown>, error: Record<string, unknown>) {
  const data = isRecord(error['data']) ? error['data'] : {};
  const retryAfter = data['retry_after_seconds'];
  if (typeof retryAfter === 'number') c.header('Retry-After', String(retryAfter));
  return { ...body, error: { ...error, data: { ...data, request_id: c.get('requestId') } } };
}

/** A refusal before any method was reached. */
export function answerRefusal(
  c: Context<ApiEnv>,
  { code, message, data }: Refusal,
  { id, status }: { id: string | number | null; status: number },
): Response {
  return answerJson(c, { status, body: { jsonrpc: '2.0', id, error: { code, message, data } } });
}

/** One form for every failure; what is not expected is logged here and never shown. */
export function answerError(
  c: Context<ApiEnv>,
  { log }: Pick<ApiDependencies, 'log'>,
  error: unknown,
  id: string | number | null,
): Response {
  const refusal = refusalOf(error);
  if (refusal === null) {
    log.error({ err: error, requestId: c.get('requestId'), route: routeOf(c) }, 'a request failed unexpectedly');
    return answerRefusal(c, toRefusal(new AppError('internal_error')), { id, status: 500 });
  }
  return answerRefusal(c, refusal, { id, status: error instanceof AppError ? error.status : 400 });
}
