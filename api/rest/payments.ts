import type { Context } from 'hono';
import { AppError } from '../../core/errors.ts';
import { findPlatform, PLATFORMS, type Platform } from '../../core/platforms.ts';
import { parseRecipient } from '../../core/recipients/recipient.ts';
import { parseSinglePayment } from '../../core/schemas.ts';
import { accept, type Accepted } from '../accept.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { PROOF_HEADERS } from '../proof.ts';
import { answerChallenge, answerSettled } from './answers.ts';
import { hangUpSignal, noteDelivery } from './delivery.ts';
import type { ApiEnv } from './env.ts';
import { readJsonBody } from './read-body.ts';

/** `POST /payments/{platform}/pay`: one recipient, one payment. */
export async function paySingle(c: Context<ApiEnv>, dependencies: ApiDependencies): Promise<Response> {
  const platform = platformOf(c, dependencies);
  const body = await readJsonBody(c.req.raw);
  const order = parseSinglePayment(body);
  const recipient = parseRecipient(platform, order.receiver);
  const accepted = await accept(dependencies, {
    operation: 'rest.pay',
    pathParameters: { platform },
    body,
    lines: [{ recipient, receiver: order.receiver, amount: order.amount }],
    description: order.description,
    meta: order.meta,
    payerReference: order.payerReference,
    proofHeader: proofHeaderOf(c),
    idempotencyKey: idempotencyKeyOf(c),
    signal: hangUpSignal(c),
  });
  return answer(c, dependencies, accepted);
}

function answer(c: Context<ApiEnv>, dependencies: ApiDependencies, accepted: Accepted): Response {
  switch (accepted.kind) {
    case 'challenge':
      return answerChallenge(c, dependencies, accepted);
    case 'settled':
      noteDelivery(c, dependencies, accepted.payment.id);
      return answerSettled(c, dependencies, accepted);
    case 'pending':
      throw new AppError('settlement_pending', {
        settlementAttemptId: accepted.payment.id,
        retryAfterSeconds: 5,
      });
  }
}

/** Names and aliases work alike; what is not offered is refused before anybody is asked for money. */
function platformOf(c: Context<ApiEnv>, dependencies: ApiDependencies): Platform {
  const text = c.req.param('platform') ?? '';
  const platform = findPlatform(text);
  if (platform === null || PLATFORMS[platform].http !== 'public') throw new AppError('not_found');
  if (!dependencies.identity.platforms.includes(platform)) {
    throw new AppError('platform_unavailable', { field: 'platform', detail: `${platform} is not offered here.` });
  }
  return platform;
}

function proofHeaderOf(c: Context<ApiEnv>): string | null {
  for (const name of PROOF_HEADERS) {
    const value = c.req.header(name);
    if (value !== undefined && value !== '') return value;
  }
  return null;
}

/** 16 to 128 visible ASCII characters (contract, section 3). */
function idempotencyKeyOf(c: Context<ApiEnv>): string | null {
  const key = c.req.header('Idempotency-Key');
  if (key === undefined) return null;
  if (!/^[\x21-\x7e]{16,128}$/.test(key)) throw new AppError('invalid_idempotency_key', { field: 'Idempotency-Key' });
  return key;
}
