import { formatUsdc, microUsdc } from '../../core/money.ts';
import { networkTitle } from '../../core/networks.ts';
import type { Invocation } from '../../core/catalog/invocation.ts';
import type { ChallengeInput, Generation } from '../../core/payments/x402.ts';
import type { PaymentRow } from '../../db/payments/records/find.ts';
import type { Accepted } from './accept.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { offeredNetworks } from './serving.ts';

export type Challenge = Extract<Accepted, { kind: 'challenge' }>;

/** What is paid for, by each interface's name, and how indexes are told to call it. */
export type Sold = { resource: string; invocation?: Invocation };

/** The price as every interface shows it. */
export function challengeInput(
  dependencies: Pick<ApiDependencies, 'networks' | 'outageOf' | 'admission'>,
  challenge: Challenge,
  { resource, invocation }: Sold,
): ChallengeInput {
  return {
    terms: offeredNetworks(dependencies).map(({ terms }) => terms),
    total: challenge.total,
    costs: challenge.asked,
    description: challenge.isLeast === true ? (invocation?.description ?? '') : describePrice(challenge),
    resource,
    reason: challenge.reason,
    requestHash: challenge.requestHash,
    ...(invocation === undefined ? {} : { discovery: invocation }),
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

/** The settlement as x402 has it, with the generation's own name of the network. */
export function settlementOf(
  { networks }: Pick<ApiDependencies, 'networks'>,
  payment: PaymentRow,
  generation: Generation,
): Record<string, unknown> {
  const network = networks.find(({ terms }) => terms.network === payment.network);
  return {
    success: true,
    transaction: payment.landedTransaction ?? '',
    network: (generation === 1 ? network?.terms.v1Name : network?.terms.caip2) ?? payment.network,
    payer: payment.payer,
  };
}
