import type { Context } from 'hono';
import type { PlatformOffer } from '../../core/bodies/order.ts';
import type { PaidByBody } from '../../core/catalog/row.ts';
import { AppError } from '../../core/errors.ts';
import { findHttpPlatform, type Platform } from '../../core/platforms/platforms.ts';
import { accept, type Accepted } from '../payments/accept.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { assertOffered } from '../payments/lines.ts';
import { answerChallenge, answerSettled } from '../payments/answers.ts';
import { askerOf } from '../http/asker.ts';
import { hasBotToken } from '../http/caller.ts';
import { connectionOf, handOver } from '../payments/delivery.ts';
import type { ApiEnv } from '../http/env.ts';
import { idempotencyKeyOf } from '../http/idempotency-key.ts';
import { proofHeaderOf } from '../payments/proof-header.ts';
import { readJsonBody } from '../http/read-body.ts';

/**
 * Serves a paid operation of the catalog. The platform comes from its path, or from each line of the body; the row
 * turns the body into lines.
 */
export function servePaid(paid: PaidByBody, hasPlatform: boolean, dependencies: ApiDependencies) {
  return async (c: Context<ApiEnv>): Promise<Response> => {
    const platform = hasPlatform ? platformOf(c, dependencies) : null;
    const body = await readJsonBody(c.req.raw);
    const order = paid.read(body, offerOf(c, dependencies), platform);
    const accepted = await accept(dependencies, {
      ...order,
      operation: `rest.${paid.kind}`,
      pathParameters: platform === null ? {} : { platform },
      body,
      agentKnown: isBot(c, dependencies),
      proofHeader: proofHeaderOf(c),
      asker: askerOf(c, dependencies.settings.isTrustedProxy),
      idempotencyKey: idempotencyKeyOf(c),
      orderId: null,
      connection: connectionOf(c, dependencies),
    });
    return answer(c, dependencies, accepted);
  };
}

async function answer(c: Context<ApiEnv>, dependencies: ApiDependencies, accepted: Accepted): Promise<Response> {
  switch (accepted.kind) {
    case 'challenge':
      return answerChallenge(c, dependencies, accepted);
    case 'settled':
      await handOver(c, dependencies, accepted.payment.id);
      return answerSettled(c, dependencies, accepted);
    case 'pending':
      throw new AppError('settlement_pending', {
        settlementAttemptId: accepted.payment.id,
        retryAfterSeconds: 5,
      });
  }
}

/**
 * Names and aliases work alike; an unoffered platform is refused before payment. To other callers a platform for bots
 * only answers exactly like one that does not exist.
 */
function platformOf(c: Context<ApiEnv>, dependencies: Pick<ApiDependencies, 'settings' | 'identity'>): Platform {
  const platform = findHttpPlatform(c.req.param('platform') ?? '', isBot(c, dependencies));
  if (platform === null) throw new AppError('not_found');
  assertOffered(dependencies, platform, 'platform');
  return platform;
}

function offerOf(c: Context<ApiEnv>, dependencies: Pick<ApiDependencies, 'settings' | 'identity'>): PlatformOffer {
  return {
    isBot: isBot(c, dependencies),
    check: (platform, field) => assertOffered(dependencies, platform, field),
  };
}

function isBot(c: Context<ApiEnv>, { settings }: Pick<ApiDependencies, 'settings'>): boolean {
  return hasBotToken(c, settings.botApiToken);
}
