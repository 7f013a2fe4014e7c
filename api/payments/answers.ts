import type { Context } from 'hono';
import { errorProblem, refusalProblem, toReceiptHeader } from '../../core/payments/mpp/answers.ts';
import { toChallengeHeader } from '../../core/payments/mpp/challenge.ts';
import { isCredentialText } from '../../core/payments/mpp/credential.ts';
import type { Invocation } from '../../core/catalog/invocation.ts';
import type { AppError } from '../../core/errors.ts';
import { ERRORS } from '../../core/errors.ts';
import { CHALLENGE_MESSAGE, REFUSAL_TEXTS } from '../../core/payments/refusals.ts';
import { acceptsV1, challengeHeader, generationOf, toHeader, type ChallengeInput } from '../../core/payments/x402.ts';
import type { Accepted } from './accept.ts';
import { challengesOf, receiptFor, type Challenging } from './challenges.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { proofHeaderOf } from './proof-header.ts';
import { challengeInput, settlementOf, type Challenge } from './terms.ts';
import type { ApiEnv } from '../http/env.ts';

type ErrorStatus = (typeof ERRORS)[keyof typeof ERRORS]['status'];

const PROBLEM = 'application/problem+json';

/** `msg` of each status, as published. */
const MESSAGES: Record<number, string> = {
  400: 'Validation failed',
  402: CHALLENGE_MESSAGE,
  500: 'Internal server error',
};

/**
 * A 402 that both x402 generations understand, and the Machine Payments Protocol: the first generation reads the body, the
 * others read headers. Only a caller who presented a credential of that protocol gets its form of a body.
 */
export function answerChallenge(
  c: Context<ApiEnv>,
  dependencies: Challenging,
  challenge: Challenge,
  invocation: Invocation,
): Response {
  const resource = dependencies.settings.baseUrl + new URL(c.req.url).pathname;
  const input = challengeInput(dependencies, challenge, { resource, invocation });
  const header = challengeHeader(input);
  const challenges = challenge.isLeast === true ? [] : challengesOf(dependencies, input, isBesideAnother(c));
  const headers: Record<string, string> = { 'payment-required': header, 'x-payment-request': header };
  if (challenge.reason !== 'payment_required') headers['payment-error'] = challenge.reason;
  if (challenges.length > 0) headers['www-authenticate'] = challenges.map(toChallengeHeader).join(', ');
  const body = challengeBody(input, c.get('requestId'));
  if (!isCredentialText(proofHeaderOf(c)))
    return answerLong(c, body, { ...headers, 'content-type': 'application/json' });
  const { accepts: _accepts, x402Version: _version, ...ours } = body;
  const problem = { ...ours, ...refusalProblem(input.reason), challengeId: challenges[0]?.id };
  return answerLong(c, problem, { ...headers, 'content-type': PROBLEM });
}

/** A 402 with what was set so far and these, named in lower case. `Headers` would look through long values several times. */
function answerLong(c: Context<ApiEnv>, body: Record<string, unknown>, long: Record<string, string>): Response {
  const headers = { ...Object.fromEntries(c.res.headers), ...long };
  // Hono would merge an answer into the one before.
  c.res = undefined;
  c.res = new Response(JSON.stringify(body), { status: 402, headers });
  return c.res;
}

/** The caller's `Authorization` holds a credential of another kind, such as our bot's token. */
function isBesideAnother(c: Context<ApiEnv>): boolean {
  return /^(?!payment\b)\S/i.test(c.req.header('Authorization') ?? '');
}

/** RFC 9457, for callers who presented a credential of the Machine Payments Protocol. */
function answerProblem(c: Context<ApiEnv>, status: ErrorStatus, problem: Record<string, unknown>): Response {
  return c.body(JSON.stringify(problem), status, { 'Content-Type': PROBLEM });
}

/** What the first generation reads. */
export function challengeBody(input: ChallengeInput, requestId: string): Record<string, unknown> {
  return {
    x402Version: 1,
    code: 402,
    msg: MESSAGES[402],
    error: input.reason,
    detail: REFUSAL_TEXTS[input.reason],
    accepts: acceptsV1(input),
    request_id: requestId,
  };
}

/** To a proof that nobody presented, where nothing is sold: no terms are offered. */
export function neverPresentedBody(
  requestId: string,
  msg = 'This payment was never presented',
): Record<string, unknown> {
  return { x402Version: 1, code: 402, msg, error: 'payment_required', accepts: [], request_id: requestId };
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

/** The headers of that answer, in the generation of the proof. */
export function setSettlement(
  c: Context<ApiEnv>,
  dependencies: Pick<ApiDependencies, 'networks'>,
  { payment, replayed }: Extract<Accepted, { kind: 'settled' }>,
): void {
  const settlement = toHeader(settlementOf(dependencies, payment, generationOf(proofHeaderOf(c))));
  c.header('PAYMENT-RESPONSE', settlement);
  c.header('X-PAYMENT-RESPONSE', settlement);
  if (replayed) c.header('Idempotent-Replayed', 'true');
  const receipt = receiptFor(proofHeaderOf(c), payment);
  if (receipt === null) return;
  c.header('Payment-Receipt', toReceiptHeader(receipt));
  c.header('Cache-Control', 'no-store, private');
}

/** Every other answer that is not a 200. */
export function answerError(c: Context<ApiEnv>, error: AppError): Response {
  const { retryAfterSeconds } = error.context;
  if (retryAfterSeconds !== undefined) c.header('Retry-After', String(retryAfterSeconds));
  const { status } = ERRORS[error.code];
  const body = errorBody(error, c.get('requestId'));
  if (!isCredentialText(proofHeaderOf(c))) return c.json(body, status);
  return answerProblem(c, status, { ...body, ...errorProblem(status, ERRORS[error.code].detail) });
}

/** `{code, msg, error, field?, detail, retryable, settlement_attempt_id?, request_id}`. */
export function errorBody({ code, context }: AppError, requestId: string): Record<string, unknown> {
  const row = ERRORS[code];
  const { field, detail, suggestion, settlementAttemptId } = context;
  return {
    code: row.status,
    msg: MESSAGES[row.status] ?? row.detail,
    error: code,
    ...(field === undefined ? {} : { field }),
    detail: detail ?? row.detail,
    ...(suggestion === undefined ? {} : { suggestion }),
    retryable: row.retryable,
    ...(settlementAttemptId === undefined ? {} : { settlement_attempt_id: settlementAttemptId }),
    request_id: requestId,
  };
}
