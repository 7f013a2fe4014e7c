import type { Context } from 'hono';
import type { PlatformOffer } from '../../core/bodies/order.ts';
import { routeInvocation, type Invocation } from '../../core/catalog/invocation.ts';
import type { CatalogRow, PaidByBody } from '../../core/catalog/row.ts';
import { AppError } from '../../core/errors.ts';
import { findHttpPlatform, type Platform } from '../../core/platforms/platforms.ts';
import { accept, type Accepted } from '../payments/accept.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { assertOffered } from '../payments/lines.ts';
import { answerChallenge, answerSettled } from '../payments/answers.ts';
import { leastPrice } from '../payments/least-price.ts';
import { askerOf } from '../http/asker.ts';
import { hasBotToken } from '../http/caller.ts';
import { connectionOf, handOver } from '../payments/delivery.ts';
import type { ApiEnv } from '../http/env.ts';
import { eventEndpointOf } from '../http/event-endpoint.ts';
import { idempotencyKeyOf } from '../http/idempotency-key.ts';
import { proofHeaderOf } from '../payments/proof-header.ts';
import { readBodyOrNothing } from '../http/read-body.ts';

/**
 * Serves a paid operation of the catalog. The platform comes from its path, or from each line of the body; the row
 * turns the body into lines.
 */
export function servePaid(row: CatalogRow, paid: PaidByBody, dependencies: ApiDependencies) {
  const invocationOf = rememberInvocations(row);
  return async (c: Context<ApiEnv>): Promise<Response> => {
    const platform = row.parameters.includes('platform') ? platformOf(c, dependencies) : null;
    const sent = await readBodyOrNothing(c.req.raw);
    const body = sent === undefined ? {} : sent;
    const operation = `rest.${paid.kind}` as const;
    const pathParameters: Record<string, string> = platform === null ? {} : { platform };
    const proofHeader = proofHeaderOf(c);
    if (sent === undefined && proofHeader === null) {
      const least = await leastPrice(dependencies, { operation, pathParameters });
      return answerChallenge(c, dependencies, least, invocationOf(platform));
    }
    const order = paid.read(body, offerOf(c, dependencies), platform);
    const accepted = await accept(dependencies, {
      ...order,
      operation,
      pathParameters,
      body,
      agentKnown: isBot(c, dependencies),
      proofHeader,
      asker: askerOf(c, dependencies.settings.isTrustedProxy),
      idempotencyKey: idempotencyKeyOf(c),
      endpointId: eventEndpointOf(c),
      orderId: null,
      connection: connectionOf(c, dependencies),
    });
    return answer(c, dependencies, accepted, invocationOf(platform));
  };
}

/** The same until the next start; made when it is first asked for. */
export function rememberInvocations(row: CatalogRow): (platform: Platform | null) => Invocation {
  const made = new Map<Platform | null, Invocation>();
  return (platform) => {
    const invocation = made.get(platform) ?? routeInvocation(row, platform);
    made.set(platform, invocation);
    return invocation;
  };
}

async function answer(
  c: Context<ApiEnv>,
  dependencies: ApiDependencies,
  accepted: Accepted,
  invocation: Invocation,
): Promise<Response> {
  switch (accepted.kind) {
    case 'challenge':
      return answerChallenge(c, dependencies, accepted, invocation);
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
