import type { Context } from 'hono';
import type { AppError } from '../../core/errors.ts';
import { ERRORS } from '../../core/errors.ts';
import { CHALLENGE_MESSAGE, REFUSAL_TEXTS } from '../../core/payments/refusals.ts';
import { acceptsV1, paymentRequiredV2, toHeader } from '../../core/payments/x402.ts';
import type { Accepted } from './accept.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { challengeInput, settlementOf, type Challenge } from './terms.ts';
import type { ApiEnv } from '../http/env.ts';

/** `msg` of each status, as published. */
const MESSAGES: Record<number, string> = {
  400: 'Validation failed',
  402: CHALLENGE_MESSAGE,
  500: 'Internal server error',
};

/** A 402 that both x402 generations understand: the first reads the body, the second the header. */
export function answerChallenge(
  c: Context<ApiEnv>,
  dependencies: Pick<ApiDependencies, 'settings' | 'networks' | 'outageOf'>,
  challenge: Challenge,
): Response {
  const resource = dependencies.settings.baseUrl + new URL(c.req.url).pathname;
  const input = challengeInput(dependencies, challenge, resource);
  const header = toHeader(paymentRequiredV2(input));
  c.header('PAYMENT-REQUIRED', header);
  c.header('x-payment-request', header);
  if (challenge.reason !== 'payment_required') c.header('payment-error', challenge.reason);
  return c.json(
    {
      x402Version: 1,
      code: 402,
      msg: MESSAGES[402],
      error: challenge.reason,
      detail: REFUSAL_TEXTS[challenge.reason],
      accepts: acceptsV1(input),
      request_id: c.get('requestId'),
    },
    402,
  );
}

/** The stored 200, with the settlement in both generations' header. */
export function answerSettled(
  c: Context<ApiEnv>,
  dependencies: Pick<ApiDependencies, 'networks'>,
  accepted: Accepted,
): Response {
  if (accepted.kind !== 'settled') throw new Error(`expected a settled payment, found ${accepted.kind}`);
  setSettlement(c, dependencies, accepted);
  return c.json(accepted.payment.answer ?? {}, 200);
}

/** The headers of that answer. */
export function setSettlement(
  c: Context<ApiEnv>,
  dependencies: Pick<ApiDependencies, 'networks'>,
  { payment, replayed }: Extract<Accepted, { kind: 'settled' }>,
): void {
  const settlement = toHeader(settlementOf(dependencies, payment));
  c.header('PAYMENT-RESPONSE', settlement);
  c.header('X-PAYMENT-RESPONSE', settlement);
  if (replayed) c.header('Idempotent-Replayed', 'true');
}

/** Every other answer that is not a 200: `{code, msg, error, field?, detail, retryable, request_id}`. */
export function answerError(c: Context<ApiEnv>, error: AppError): Response {
  const row = ERRORS[error.code];
  const { field, detail, settlementAttemptId, retryAfterSeconds } = error.context;
  if (retryAfterSeconds !== undefined) c.header('Retry-After', String(retryAfterSeconds));
  return c.json(
    {
      code: row.status,
      msg: MESSAGES[row.status] ?? row.detail,
      error: error.code,
      ...(field === undefined ? {} : { field }),
      detail: detail ?? row.detail,
      retryable: row.retryable,
      ...(settlementAttemptId === undefined ? {} : { settlement_attempt_id: settlementAttemptId }),
      request_id: c.get('requestId'),
    },
    row.status,
  );
}
