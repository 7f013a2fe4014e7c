import { REWARD_PLATFORM } from '../../core/rewards/engagement.ts';
import { timingSafeEqual } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { routeInvocation } from '../../core/catalog/invocation.ts';
import type { CatalogRow } from '../../core/catalog/row.ts';
import { parseConfirmation } from '../../core/bodies/rewards.ts';
import { AppError } from '../../core/errors.ts';
import { findHttpPlatform } from '../../core/platforms/platforms.ts';
import { rejectDistribution } from '../../db/rewards/distributions.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { assertOffered } from '../payments/lines.ts';
import { confirmDistribution } from '../rewards/confirm.ts';
import { createDistribution, secretHash, type Caller } from '../rewards/create.ts';
import {
  requireDistribution,
  showDistribution,
  toAnswer,
  toConfirmedAnswer,
  toCreatedAnswer,
} from '../rewards/read.ts';
import { answerChallenge, setSettlement } from '../payments/answers.ts';
import { askerOf } from '../http/asker.ts';
import { callerAddress, hasBotToken } from '../http/caller.ts';
import { connectionOf, handOver, hangUpSignal } from '../payments/delivery.ts';
import type { ApiEnv } from '../http/env.ts';
import { eventEndpointOf } from '../http/event-endpoint.ts';
import { idempotencyKeyOf } from '../http/idempotency-key.ts';
import { proofHeaderOf } from '../payments/proof-header.ts';
import { leastPrice } from '../payments/least-price.ts';
import { readBodyOrNothing, readJsonBody } from '../http/read-body.ts';

/** What each free address takes. */
export const REWARD_METHODS = [
  ['/rewards/:platform/create-distribution', 'POST', 'POST, OPTIONS'],
  ['/rewards/:platform/distributions/:order_id', 'GET', 'GET, HEAD, OPTIONS'],
  ['/rewards/:platform/distributions/:order_id/reject', 'POST', 'POST, OPTIONS'],
] as const;

/** Rewards for a post, but for their confirmation, which is a paid operation of the catalog. */
export function serveRewards(app: Hono<ApiEnv>, dependencies: ApiDependencies): void {
  app.post('/rewards/:platform/create-distribution', async (c) => {
    assertPlatform(c, dependencies);
    const body = await readJsonBody(c.req.raw);
    const created = await createDistribution(dependencies, body, callerOf(c, dependencies));
    return c.json(toCreatedAnswer(dependencies.settings, created));
  });
  app.get('/rewards/:platform/distributions/:order_id', async (c) => {
    assertPlatform(c, dependencies);
    const shown = await showDistribution(dependencies, c.req.param('order_id'));
    return c.json(toAnswer(dependencies.settings.baseUrl, shown));
  });
  app.post('/rewards/:platform/distributions/:order_id/reject', async (c) => {
    assertPlatform(c, dependencies);
    return reject(c, dependencies, c.req.param('order_id'));
  });
}

/** Serves both forms: the id in the address, where a body means nothing, or in the body. */
export function serveConfirmation(row: CatalogRow, dependencies: ApiDependencies) {
  const hasId = row.parameters.includes('order_id');
  const invocation = routeInvocation(row, REWARD_PLATFORM);
  return async (c: Context<ApiEnv>): Promise<Response> => {
    assertPlatform(c, dependencies);
    const sent = hasId ? { order_id: c.req.param('order_id') } : await readBodyOrNothing(c.req.raw);
    if (sent === undefined && proofHeaderOf(c) === null) {
      const asked = { operation: 'rest.confirm-distribution', pathParameters: { platform: REWARD_PLATFORM } } as const;
      return answerChallenge(c, dependencies, await leastPrice(dependencies, asked), invocation);
    }
    const id = hasId ? (c.req.param('order_id') ?? '') : parseConfirmation(sent ?? {});
    const { found, accepted, isEarlier } = await confirmDistribution(dependencies, {
      id,
      through: 'rest',
      pathParameters: { platform: REWARD_PLATFORM },
      agentKnown: isBot(c, dependencies),
      proofHeader: proofHeaderOf(c),
      asker: askerOf(c, dependencies.settings.isTrustedProxy),
      idempotencyKey: idempotencyKeyOf(c),
      endpointId: eventEndpointOf(c),
      connection: connectionOf(c, dependencies),
    });
    switch (accepted.kind) {
      case 'challenge':
        return answerChallenge(c, dependencies, accepted, invocation);
      case 'settled':
        // Another request's answer, handed to this caller, does not show that the payer got theirs.
        if (!isEarlier) await handOver(c, dependencies, accepted.payment.id);
        setSettlement(c, dependencies, accepted);
        return c.json(toConfirmedAnswer(dependencies.settings.baseUrl, found, accepted.payment));
      case 'pending':
        throw new AppError('settlement_pending', { settlementAttemptId: accepted.payment.id, retryAfterSeconds: 5 });
    }
  };
}

async function reject(c: Context<ApiEnv>, dependencies: ApiDependencies, id: string): Promise<Response> {
  const { store, now, settings } = dependencies;
  const found = await requireDistribution(store, id);
  if (!isBot(c, dependencies) && !hasSecret(c, found.secretHash)) throw new AppError('wrong_order_secret');
  switch (await rejectDistribution(store, id, now())) {
    case 'rejected':
      return c.json(toAnswer(settings.baseUrl, await showDistribution(dependencies, id)));
    case 'confirming':
      throw new AppError('distribution_confirming', { retryAfterSeconds: 5 });
    case 'confirmed':
      throw new AppError('distribution_confirmed');
    case 'expired':
      throw new AppError('distribution_expired');
    case 'forgotten':
      throw new AppError('distribution_not_found', { field: 'order_id' });
  }
}

/** Digests are compared, so that the time of comparing gives nothing away. */
function hasSecret(c: Context<ApiEnv>, wanted: string): boolean {
  const given = /^Bearer +([^ ]+)$/i.exec(c.req.header('Authorization') ?? '')?.[1];
  if (given === undefined) return false;
  return timingSafeEqual(Buffer.from(secretHash(given), 'hex'), Buffer.from(wanted, 'hex'));
}

/** Rewards are for posts on one platform; every other that exists is refused by name. */
function assertPlatform(c: Context<ApiEnv>, dependencies: Pick<ApiDependencies, 'settings' | 'identity'>): void {
  const platform = findHttpPlatform(c.req.param('platform') ?? '', isBot(c, dependencies));
  if (platform === null) throw new AppError('not_found');
  if (platform !== REWARD_PLATFORM) {
    const detail = `Rewards are for posts on ${REWARD_PLATFORM}, not on ${platform}.`;
    throw new AppError('platform_unavailable', { field: 'platform', detail });
  }
  assertOffered(dependencies, platform, 'platform');
}

function callerOf(c: Context<ApiEnv>, dependencies: Pick<ApiDependencies, 'settings'>): Caller {
  const address = callerAddress(c, dependencies.settings.isTrustedProxy);
  return { address, isBot: isBot(c, dependencies), signal: hangUpSignal(c) };
}

function isBot(c: Context<ApiEnv>, { settings }: Pick<ApiDependencies, 'settings'>): boolean {
  return hasBotToken(c, settings.botApiToken);
}
