import type { Context } from 'hono';
import { parseBatchPayment, parseCrossBatchPayment } from '../../core/bodies/batch.ts';
import { parseSinglePayment } from '../../core/bodies/single.ts';
import { AppError } from '../../core/errors.ts';
import { findHttpPlatform, type Platform } from '../../core/platforms.ts';
import { parseRecipient } from '../../core/recipients/recipient.ts';
import { accept, type Accepted, type PaidRequest } from '../accept.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { answerChallenge, answerSettled } from './answers.ts';
import { hasBotToken } from './caller.ts';
import { hangUpSignal, noteDelivery } from './delivery.ts';
import type { ApiEnv } from './env.ts';
import { proofHeaderOf } from './proof-header.ts';
import { readJsonBody } from './read-body.ts';

/** `POST /payments/{platform}/pay`: one recipient, one payment. */
export async function paySingle(c: Context<ApiEnv>, dependencies: ApiDependencies): Promise<Response> {
  const platform = platformOf(c, dependencies);
  const body = await readJsonBody(c.req.raw);
  const { receiver, amount, ...order } = parseSinglePayment(body);
  const lines = [{ recipient: parseRecipient(platform, receiver), receiver, amount }];
  return pay(c, dependencies, { operation: 'rest.pay', pathParameters: { platform }, body, lines, ...order });
}

/** `POST /payments/{platform}/batch-pay`: up to 100 recipients on one platform, one payment in. */
export async function payBatch(c: Context<ApiEnv>, dependencies: ApiDependencies): Promise<Response> {
  const platform = platformOf(c, dependencies);
  const body = await readJsonBody(c.req.raw);
  const order = parseBatchPayment(platform, body);
  const pathParameters = { platform };
  return pay(c, dependencies, { operation: 'rest.batch-pay', pathParameters, body, ...order, payerReference: null });
}

/** `POST /payments/batch-pay`: the same across platforms; each receiver names its own. */
export async function payAcross(c: Context<ApiEnv>, dependencies: ApiDependencies): Promise<Response> {
  const body = await readJsonBody(c.req.raw);
  const order = parseCrossBatchPayment(body, {
    isBot: isBot(c, dependencies),
    check: (platform, field) => assertOffered(dependencies, platform, field),
  });
  const pathParameters = {};
  return pay(c, dependencies, {
    operation: 'rest.cross-batch-pay',
    pathParameters,
    body,
    ...order,
    payerReference: null,
  });
}

type Order = Omit<PaidRequest, 'agentKnown' | 'proofHeader' | 'idempotencyKey' | 'signal'>;

async function pay(c: Context<ApiEnv>, dependencies: ApiDependencies, order: Order): Promise<Response> {
  const proofHeader = proofHeaderOf(c);
  const accepted = await accept(dependencies, {
    ...order,
    agentKnown: isBot(c, dependencies),
    proofHeader,
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

/**
 * Names and aliases work alike; what is not offered is refused before anybody is asked for money. A platform for bots
 * only is answered to others exactly like one that does not exist.
 */
function platformOf(c: Context<ApiEnv>, dependencies: ApiDependencies): Platform {
  const platform = findHttpPlatform(c.req.param('platform') ?? '', isBot(c, dependencies));
  if (platform === null) throw new AppError('not_found');
  assertOffered(dependencies, platform, 'platform');
  return platform;
}

function assertOffered({ identity }: ApiDependencies, platform: Platform, field: string): void {
  if (identity.platforms.includes(platform)) return;
  throw new AppError('platform_unavailable', { field, detail: `${platform} is not offered here.` });
}

function isBot(c: Context<ApiEnv>, { settings }: ApiDependencies): boolean {
  return hasBotToken(c, settings.botApiToken);
}

/** 16 to 128 visible ASCII characters (contract, section 3). */
function idempotencyKeyOf(c: Context<ApiEnv>): string | null {
  const key = c.req.header('Idempotency-Key');
  if (key === undefined) return null;
  if (!/^[\x21-\x7e]{16,128}$/.test(key)) throw new AppError('invalid_idempotency_key', { field: 'Idempotency-Key' });
  return key;
}
