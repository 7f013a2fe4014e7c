import { acceptsV1, paymentRequiredV2 } from '../../core/payments/x402.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { challengeInput, type Challenge } from '../payments/terms.ts';

/** Where agents send their calls. */
export const A2A_PATH = '/a2a';

/** What `x402.payment.required` holds, in the generation of x402 that the caller reads. */
export function toPaymentRequired(
  dependencies: Pick<ApiDependencies, 'settings' | 'networks' | 'outageOf'>,
  challenge: Challenge,
  isFirstGeneration: boolean,
): Record<string, unknown> {
  const input = challengeInput(dependencies, challenge, { resource: dependencies.settings.baseUrl + A2A_PATH });
  if (!isFirstGeneration) return paymentRequiredV2(input);
  return { x402Version: 1, error: challenge.reason, accepts: acceptsV1(input) };
}
