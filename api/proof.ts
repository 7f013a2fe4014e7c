import { payloadHash } from '../core/request-hash.ts';
import {
  exactEvmPayloadSchema,
  readHeader,
  readPaymentIdentifier,
  VALIDITY_MAX_SECONDS,
  type PaymentPayload,
  type ProofRefusal,
} from '../core/x402.ts';
import type { ApiNetwork } from './dependencies.ts';
import { toAuthorization, type Authorization } from './proof-check.ts';

/** A proof that has the right form. Whether it pays for the request is checked afterwards. */
export type Proof = {
  network: ApiNetwork;
  authorization: Authorization;
  signature: string;
  payloadHash: string;
  /** The client's own name of the request, as the `payment-identifier` extension carries it. */
  paymentIdentifier: string | null;
  /** The terms that a second-generation client says it accepted. */
  accepted: { scheme: string; amount: string; asset: string; payTo: string } | null;
};

export type ProofReading =
  | { kind: 'none' }
  | { kind: 'refused'; reason: ProofRefusal }
  | { kind: 'proof'; proof: Proof };

/** Headers that carry a proof, in the order in which they are looked at (contract, section 3). */
export const PROOF_HEADERS = ['PAYMENT-SIGNATURE', 'X-PAYMENT', 'x-payment-response'] as const;

export function readProof(header: string | null, networks: readonly ApiNetwork[]): ProofReading {
  if (header === null) return { kind: 'none' };
  const payload = readHeader(header);
  if (payload === null) return { kind: 'refused', reason: 'invalid_payload' };
  const { scheme, networkName } = termsNamed(payload);
  if (scheme !== 'exact') return { kind: 'refused', reason: 'unsupported_scheme' };
  const network = networks.find(({ terms }) => namesOf(terms).includes(networkName));
  if (!network) return { kind: 'refused', reason: 'invalid_network' };
  const parsed = exactEvmPayloadSchema.safeParse(payload.payload);
  if (!parsed.success) return { kind: 'refused', reason: 'invalid_payload' };
  const authorization = toAuthorization(parsed.data);
  const signature = network.checker.normaliseSignature(parsed.data.signature.toLowerCase());
  const hash = payloadHash({
    ...authorization,
    value: authorization.value.toString(),
    network: network.terms.network,
    signature,
  });
  const accepted = payload.x402Version === 2 ? payload.accepted : null;
  const paymentIdentifier = payload.x402Version === 2 ? readPaymentIdentifier(payload.extensions) : null;
  return {
    kind: 'proof',
    proof: { network, authorization, signature, payloadHash: hash, paymentIdentifier, accepted },
  };
}

function termsNamed(payload: PaymentPayload): { scheme: string; networkName: string } {
  if (payload.x402Version === 1) return { scheme: payload.scheme, networkName: payload.network };
  return { scheme: payload.accepted.scheme, networkName: payload.accepted.network };
}

function namesOf(terms: ApiNetwork['terms']): string[] {
  return [terms.v1Name, terms.caip2];
}

/**
 * Terms, window and signature: everything that can be known without a claim. The amount must be exact, because what is
 * paid beyond the price would belong to nobody.
 */
export async function checkProof(proof: Proof, total: bigint, nowSeconds: number): Promise<'ok' | ProofRefusal> {
  const { authorization, network } = proof;
  const { terms, checker } = network;
  if (!acceptsOurTerms(proof, total)) return 'invalid_payment_requirements';
  if (authorization.to !== terms.payTo.toLowerCase()) return 'invalid_exact_evm_payload_recipient_mismatch';
  if (authorization.value !== total) return 'invalid_exact_evm_payload_authorization_value';
  if (checker.isForbiddenPayer(authorization.from)) return 'payer_not_allowed';
  if (authorization.validAfter >= nowSeconds) return 'invalid_exact_evm_payload_authorization_valid_after';
  const remaining = authorization.validBefore - nowSeconds;
  if (remaining < REMAINING_MIN_SECONDS || remaining > VALIDITY_MAX_SECONDS) {
    return 'invalid_exact_evm_payload_authorization_valid_before';
  }
  return checker.checkSignature(authorization, proof.signature);
}

/** Less time than a few blocks, and the transfer would most likely miss its window. */
const REMAINING_MIN_SECONDS = 6;

function acceptsOurTerms(proof: Proof, total: bigint): boolean {
  const { accepted, network } = proof;
  if (accepted === null) return true;
  return (
    accepted.amount === total.toString() &&
    accepted.asset.toLowerCase() === network.terms.asset.toLowerCase() &&
    accepted.payTo.toLowerCase() === network.terms.payTo.toLowerCase()
  );
}
