import type { SignedHeader } from '../../client/charge.ts';
import type { AgreedTerms, Challenge } from '../../core/payments/challenge.ts';
import type { HeaderEnd } from '../../core/payments/charge.ts';
import { evmPayload, paymentHeader, solanaPayload } from '../../core/payments/payment-header.ts';
import { boundNonce } from '../../core/request-hash.ts';
import type { Signer } from '../signing/signer.ts';
import { toAuthorization, type TransferAuthorization } from '../signing/signing.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { PinnedEvm, PinnedTerms, TermsCheck } from '../shared/terms.ts';

/** Longer than the payer keeps trying, within the five minutes that the API allows. */
const HEADER_LIFE_SECONDS = 240;

/** A price that is what we pinned, and the whole of what is to be signed for it. */
export type ToSign = {
  pinned: PinnedTerms;
  challenge: Challenge;
  agreed: Extract<TermsCheck, { kind: 'agreed' }>;
};
/** What is paid: an order, or anything else that the guard knows by its id. */
type ToPay = { id: string; payerAddress: string };
/** The part of the signer that signs this kind of payment. */
type PaymentSigner = Pick<Signer, 'signEvm' | 'signSolana'>;
type Signed = { payload: Record<string, unknown>; end: HeaderEnd };

/**
 * The header that pays for it. Null when the guard refused: that is a bug of ours or an attack, so the reason goes to the
 * log, not to the chat.
 */
export async function signHeader(
  deps: Pick<CoreDeps, 'signer' | 'log' | 'random' | 'clock'>,
  toPay: ToPay,
  { pinned, challenge, agreed }: ToSign,
  signer: PaymentSigner = deps.signer,
): Promise<SignedHeader | null> {
  const binding = newBinding(deps, agreed.terms);
  try {
    const { payload, end } = await signOn(deps, toPay, signer, { pinned, value: agreed.total, binding });
    return { header: paymentHeader(challenge, agreed.terms, payload), end };
  } catch (error) {
    deps.log.error({ id: toPay.id, error: String(error) }, 'not signed');
    return null;
  }
}

type Bound = { pinned: PinnedTerms; value: bigint; binding: string };

function signOn(
  deps: Pick<CoreDeps, 'clock'>,
  toPay: ToPay,
  signer: PaymentSigner,
  { pinned, value, binding }: Bound,
): Promise<Signed> {
  switch (pinned.family) {
    case 'evm':
      return signOnEvm(signer, toPay.id, authorize(deps, toPay, pinned, { value, binding }));
    case 'svm':
      return signOnSolana(signer, toPay.id, binding);
  }
}

async function signOnEvm(signer: PaymentSigner, id: string, authorization: TransferAuthorization): Promise<Signed> {
  const signature = await signer.signEvm(id, authorization);
  return { payload: evmPayload(authorization, signature), end: { validBefore: authorization.validBefore } };
}

async function signOnSolana(signer: PaymentSigner, id: string, memo: string): Promise<Signed> {
  const { transaction, lastValidHeight } = await signer.signSolana(id, memo);
  return { payload: solanaPayload(transaction), end: { lastValidHeight } };
}

/** Ties the payment to its request, and makes each differ from all others. */
function newBinding({ random }: Pick<CoreDeps, 'random'>, { extra }: AgreedTerms): string {
  return boundNonce(extra.requestHash, Buffer.from(random(16)).toString('hex'));
}

function authorize(
  { clock }: Pick<CoreDeps, 'clock'>,
  { payerAddress: from }: ToPay,
  pinned: PinnedEvm,
  { value, binding }: { value: bigint; binding: string },
): TransferAuthorization {
  const validBefore = Math.floor(clock.now() / 1_000) + HEADER_LIFE_SECONDS;
  return toAuthorization(pinned, { from, to: pinned.payTo, value, validBefore, nonce: `0x${binding}` });
}
