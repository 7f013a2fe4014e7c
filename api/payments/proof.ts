import { canonicalAddress } from '../../core/networks.ts';
import { payloadHash } from '../../core/request-hash.ts';
import type { ProofRefusal } from '../../core/payments/refusals.ts';
import { readHeader, readPaymentIdentifier, type PaymentPayload } from '../../core/payments/x402.ts';
import type { ApiNetwork } from '../environment/dependencies.ts';
import type { Authorization } from '../proofs/proof-check.ts';

/** A proof that has the right form. Whether it pays for the request is checked afterwards. */
export type Proof = {
  network: ApiNetwork;
  authorization: Authorization;
  signature: string;
  payloadHash: string;
  /** The client's own name of the request, as the `payment-identifier` extension carries it. */
  paymentIdentifier: string | null;
  /** The terms that a second-generation client states it accepted. */
  accepted: { scheme: string; amount: string; asset: string; payTo: string } | null;
};

export type ProofReading =
  | { kind: 'none' }
  | { kind: 'refused'; reason: ProofRefusal }
  | { kind: 'proof'; proof: Proof };

/** Headers that carry a proof, in the order in which they are read. */
export const PROOF_HEADERS = ['PAYMENT-SIGNATURE', 'X-PAYMENT', 'x-payment-response'] as const;

export function readProof(header: string | null, networks: readonly ApiNetwork[]): ProofReading {
  if (header === null) return { kind: 'none' };
  const payload = readHeader(header);
  if (payload === null) return { kind: 'refused', reason: 'invalid_payload' };
  const { scheme, networkName } = termsNamed(payload);
  if (scheme !== 'exact') return { kind: 'refused', reason: 'unsupported_scheme' };
  const network = networks.find(({ terms }) => namesOf(terms).includes(networkName));
  if (!network) return { kind: 'refused', reason: 'invalid_network' };
  const read = network.checker.read(payload.payload);
  if (read === null) return { kind: 'refused', reason: 'invalid_payload' };
  const { authorization, signature } = read;
  const hash = payloadHash({
    ...authorization,
    payerAccount: authorization.payerAccount ?? '',
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
  return [terms.v1Name, terms.caip2, ...terms.aliases];
}

/** Everything that can be known before a reservation. Writes nothing and sends nothing. */
export async function checkProof(proof: Proof, total: bigint, nowSeconds: number): Promise<'ok' | ProofRefusal> {
  if (!acceptsOurTerms(proof, total)) return 'invalid_payment_requirements';
  return proof.network.checker.check(proof, total, nowSeconds);
}

function acceptsOurTerms({ accepted, network }: Proof, total: bigint): boolean {
  if (accepted === null) return true;
  const { terms } = network;
  const isSame = (one: string, other: string) =>
    canonicalAddress(terms.network, one) === canonicalAddress(terms.network, other);
  return (
    accepted.amount === total.toString() && isSame(accepted.asset, terms.asset) && isSame(accepted.payTo, terms.payTo)
  );
}
