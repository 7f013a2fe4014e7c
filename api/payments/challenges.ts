import type { PaymentReceipt } from '../../core/payments/mpp/answers.ts';
import { bindingOf, MPP_METHOD, toChallenge, type PaymentChallenge } from '../../core/payments/mpp/challenge.ts';
import { isCredentialText, readCredential } from '../../core/payments/mpp/credential.ts';
import { amountOn, type ChallengeInput } from '../../core/payments/x402.ts';
import type { PaymentRow } from '../../db/payments/records/find.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { offeredNetworks } from './serving.ts';

export type Challenging = Pick<ApiDependencies, 'settings' | 'networks' | 'outageOf' | 'admission' | 'ids' | 'now'>;

/**
 * The same price as challenges of the Machine Payments Protocol, one for each network that has a method there. Nothing is
 * stored: an id is made of everything that its challenge says, the hash of the request included.
 */
export function challengesOf(
  dependencies: Challenging,
  input: ChallengeInput,
  isBesideAnother: boolean,
): PaymentChallenge[] {
  const { settings, ids, now } = dependencies;
  if (settings.paymentChallenges === false) return [];
  return offeredNetworks(dependencies).flatMap(({ terms, seal }) => {
    if (seal === undefined) return [];
    const challenge = toChallenge({
      terms,
      chainId: seal.chainId,
      amount: amountOn(input, terms),
      realm: new URL(settings.baseUrl).host,
      description: input.description,
      requestHash: input.requestHash,
      salt: ids.slug(),
      nowMs: now(),
      isBesideAnother,
    });
    return [{ id: seal.idOf(bindingOf(challenge)), ...challenge }];
  });
}

/** For a payer who presented a credential; null for any other proof. */
export function receiptFor(proof: string | null, payment: PaymentRow): PaymentReceipt | null {
  const credential = isCredentialText(proof) ? readCredential(proof) : null;
  if (credential === null) return null;
  return {
    status: 'success',
    method: MPP_METHOD,
    timestamp: new Date(payment.settledAtMs ?? payment.createdAtMs).toISOString(),
    reference: payment.landedTransaction ?? '',
    challengeId: credential.challenge.id,
  };
}
