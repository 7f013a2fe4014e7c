import { PAYMENT_AMOUNT_MIN } from '../../core/amounts.ts';
import { feeFor } from '../../core/money.ts';
import type { Operation } from '../../core/payments/operations.ts';
import { requestHash } from '../../core/request-hash.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { costsAsked } from './asked-costs.ts';
import { assertServing, servedNetworks } from './serving.ts';
import type { Challenge } from './terms.ts';

/**
 * The price of a request that names nothing yet: indexes ask like this, and list what answers 402. It is the least that
 * anything costs there, from memory. It buys nothing: with a proof such a request is refused for its form.
 */
export async function leastPrice(
  dependencies: ApiDependencies,
  { operation, pathParameters }: { operation: Operation; pathParameters: Record<string, string> },
): Promise<Challenge> {
  const { settings, admission } = dependencies;
  await assertServing(dependencies, null);
  admission?.assertCarried(servedNetworks(dependencies).map(({ terms }) => terms.network));
  const fee = feeFor(PAYMENT_AMOUNT_MIN, settings.feeBps, settings.feeFlat);
  return {
    kind: 'challenge',
    reason: 'payment_required',
    total: PAYMENT_AMOUNT_MIN + fee,
    fee,
    requestHash: requestHash(operation, pathParameters, {}),
    asked: costsAsked(dependencies, { lines: { length: 1 } }),
    isLeast: true,
  };
}
