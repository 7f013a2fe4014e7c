import { formatUsdc, microUsdc } from '../../core/money.ts';
import { networkTitle } from '../../core/networks.ts';
import type { ChallengeInput } from '../../core/payments/x402.ts';
import type { PaymentRow } from '../../db/payments/records/find.ts';
import type { Accepted } from './accept.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { servedNetworks } from './serving.ts';

export type Challenge = Extract<Accepted, { kind: 'challenge' }>;

/** The price as every interface shows it; `resource` is each interface's name for what is paid for. */
export function challengeInput(
  dependencies: Pick<ApiDependencies, 'networks' | 'outageOf'>,
  challenge: Challenge,
  resource: string,
): ChallengeInput {
  return {
    terms: servedNetworks(dependencies).map(({ terms }) => terms),
    total: challenge.total,
    costs: challenge.asked,
    description: describePrice(challenge),
    resource,
    reason: challenge.reason,
    requestHash: challenge.requestHash,
  };
}

/** Names no receivers: it must stay short for any payment, and wallets show it to people. */
export function describePrice({ total, fee, asked }: Pick<Challenge, 'total' | 'fee' | 'asked'>): string {
  const sum = formatUsdc(microUsdc(total - fee));
  const base = fee === 0n ? `Send ${sum} USDC` : `Send ${sum} USDC plus ${formatUsdc(microUsdc(fee))} USDC fee`;
  const costs = [...asked].map(
    ([network, cost]) => `${formatUsdc(microUsdc(cost))} USDC on ${networkTitle(network, null)}`,
  );
  return costs.length === 0 ? base : `${base}, and for the cost of the transaction ${costs.join(', ')}`;
}

/** The settlement as x402 has it. */
export function settlementOf(
  { networks }: Pick<ApiDependencies, 'networks'>,
  payment: PaymentRow,
): Record<string, unknown> {
  const network = networks.find(({ terms }) => terms.network === payment.network);
  return {
    success: true,
    transaction: payment.landedTransaction ?? '',
    network: network?.terms.caip2 ?? payment.network,
    payer: payment.payer,
  };
}
