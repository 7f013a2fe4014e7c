import { canonicalAddress } from '../../core/networks.ts';
import { payloadHash } from '../../core/request-hash.ts';
import type { ProofRefusal } from '../../core/payments/refusals.ts';
import { bindingOf } from '../../core/payments/mpp/challenge.ts';
import {
  isCredentialText,
  isInItsField,
  readCredential,
  type PaymentCredential,
} from '../../core/payments/mpp/credential.ts';
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
  /** The challenge that it answers, in the form of the Machine Payments Protocol; null in x402's. */
  credential: PaymentCredential | null;
};

export type ProofReading =
  | { kind: 'none' }
  | { kind: 'refused'; reason: ProofRefusal }
  | { kind: 'proof'; proof: Proof };

/** Headers that carry a proof, in the order in which they are read. */
export const PROOF_HEADERS = ['PAYMENT-SIGNATURE', 'X-PAYMENT', 'x-payment-response'] as const;

export function readProof(header: string | null, networks: readonly ApiNetwork[]): ProofReading {
  if (header === null) return { kind: 'none' };
  return isCredentialText(header) ? readCredentialProof(header, networks) : readX402Proof(header, networks);
}

function readX402Proof(header: string, networks: readonly ApiNetwork[]): ProofReading {
  const payload = readHeader(header);
  if (payload === null) return { kind: 'refused', reason: 'invalid_payload' };
  const { scheme, networkName } = termsNamed(payload);
  if (scheme !== 'exact') return { kind: 'refused', reason: 'unsupported_scheme' };
  const network = networks.find(({ terms }) => namesOf(terms).includes(networkName));
  if (!network) return { kind: 'refused', reason: 'invalid_network' };
  const accepted = payload.x402Version === 2 ? payload.accepted : null;
  const paymentIdentifier = payload.x402Version === 2 ? readPaymentIdentifier(payload.extensions) : null;
  return toProof(network, payload.payload, { accepted, paymentIdentifier, credential: null });
}

/** Only its form: whether the challenge is ours is asked once it is known not to have paid already. */
function readCredentialProof(text: string, networks: readonly ApiNetwork[]): ProofReading {
  const credential = readCredential(text);
  if (credential === null) return { kind: 'refused', reason: 'invalid_payload' };
  const network = networks.find(({ seal }) => seal?.chainId === credential.chainId);
  if (network === undefined) return { kind: 'refused', reason: 'invalid_network' };
  return toProof(network, credential.payload, { accepted: null, paymentIdentifier: null, credential });
}

function toProof(
  network: ApiNetwork,
  payload: unknown,
  rest: Pick<Proof, 'accepted' | 'paymentIdentifier' | 'credential'>,
): ProofReading {
  const read = network.checker.read(payload);
  if (read === null) return { kind: 'refused', reason: 'invalid_payload' };
  const { authorization, signature } = read;
  const hash = payloadHash({
    ...authorization,
    payerAccount: authorization.payerAccount ?? '',
    value: authorization.value.toString(),
    network: network.terms.network,
    signature,
  });
  return { kind: 'proof', proof: { network, authorization, signature, payloadHash: hash, ...rest } };
}

function termsNamed(payload: PaymentPayload): { scheme: string; networkName: string } {
  if (payload.x402Version === 1) return { scheme: payload.scheme, networkName: payload.network };
  return { scheme: payload.accepted.scheme, networkName: payload.accepted.network };
}

function namesOf(terms: ApiNetwork['terms']): string[] {
  return [terms.v1Name, terms.caip2, ...terms.aliases];
}

/** Everything that can be known before a reservation. Writes nothing and sends nothing. */
export async function checkProof(
  proof: Proof,
  { total, hash }: { total: bigint; hash: string },
  nowMs: number,
): Promise<'ok' | ProofRefusal> {
  if (!acceptsOurTerms(proof, total, nowMs)) return 'invalid_payment_requirements';
  const answered = proof.credential === null ? 'ok' : checkChallenge(proof, proof.credential, hash, nowMs);
  return answered === 'ok' ? proof.network.checker.check(proof, total, Math.floor(nowMs / 1_000)) : answered;
}

/** Ours, unchanged, of this request, in its time and in its field; and the signature answers this very challenge. */
function checkChallenge(
  { network, authorization }: Pick<Proof, 'network' | 'authorization'>,
  credential: PaymentCredential,
  hash: string,
  nowMs: number,
): 'ok' | ProofRefusal {
  const { challenge, requestHash } = credential;
  const { seal } = network;
  const isOurs = seal !== undefined && challenge.id === seal.idOf(bindingOf(challenge));
  if (!isOurs || requestHash !== hash || !isInItsField(credential)) return 'invalid_challenge';
  if (authorization.nonce !== seal.nonceOf(challenge.id, challenge.realm)) return 'invalid_challenge';
  return Date.parse(challenge.expires ?? '') > nowMs ? 'ok' : 'challenge_expired';
}

/** Whether it names the request, so that it counts even when it landed before it was presented. Asked of a checked one. */
export function isBound({ network, authorization, credential }: Proof, hash: string): boolean {
  return credential !== null || network.checker.isBound(authorization, hash);
}

function acceptsOurTerms({ accepted, network }: Proof, total: bigint, nowMs: number): boolean {
  if (accepted === null) return true;
  const { terms, takesFormer } = network;
  const canonical = (address: string) => canonicalAddress(terms.network, address);
  const payTo = canonical(accepted.payTo);
  const isPayTo = payTo === canonical(terms.payTo) || takesFormer?.(payTo, nowMs) === true;
  return accepted.amount === total.toString() && canonical(accepted.asset) === canonical(terms.asset) && isPayTo;
}
