import type { AgreedTerms, Challenge } from '../../core/payments/challenge.ts';
import type { MicroUsdc } from '../../core/money.ts';
import { evmPayload, paymentHeader, solanaPayload } from '../../core/payments/payment-header.ts';
import { boundNonce, isBoundNonce } from '../../core/request-hash.ts';
import { VALIDITY_MAX_SECONDS } from '../../core/payments/x402.ts';
import type { PinnedEvm, PinnedSolana } from '../shared/terms.ts';
import { toAuthorization, type SolanaTransfer, type TransferAuthorization } from '../signing/signing.ts';
import type { PayPagesDeps, Payer } from './dependencies.ts';

/**
 * What another person's wallet signs. Nothing is kept between preparing and signing: the wallet brings back only its
 * address, the random part that we gave it, and the signature. The rest is built again from what is to be paid and what
 * is pinned, so nothing else can be signed for it. `paymentId`: the order, or the card.
 */
export type Asked = Payer & { paymentId: string; total: MicroUsdc; terms: AgreedTerms; challenge: Challenge };

/** Time enough to read what a wallet shows, within the five minutes that the API allows. */
const SIGNING_SECONDS = 270;

export function newNonce({ random }: Pick<PayPagesDeps, 'random'>, { terms }: Asked): string {
  return boundNonce(terms.extra.requestHash, Buffer.from(random(16)).toString('hex'));
}

export type EvmParts = { nonce: string; validBefore: number };

export function newEvmParts(deps: Pick<PayPagesDeps, 'clock' | 'random'>, asked: Asked): EvmParts {
  return { nonce: newNonce(deps, asked), validBefore: Math.floor(deps.clock.now() / 1_000) + SIGNING_SECONDS };
}

export function authorizationFor(
  { address: from, total: value }: Asked,
  pinned: PinnedEvm,
  { nonce, validBefore }: EvmParts,
): TransferAuthorization {
  return toAuthorization(pinned, { from, to: pinned.payTo, value, validBefore, nonce: `0x${nonce}` });
}

/** `changed_payment`: parts that we did not give out, or that have expired, or another payment than the prepared one. */
export type SignedHeader =
  | { kind: 'signed'; header: string }
  | { kind: 'refused'; reason: 'changed_payment' | 'wallet_added' };

const CHANGED = { kind: 'refused', reason: 'changed_payment' } as const;

export function evmHeader(
  deps: Pick<PayPagesDeps, 'clock'>,
  asked: Asked,
  pinned: PinnedEvm,
  { signature, ...parts }: EvmParts & { signature: string },
): SignedHeader {
  const nowSeconds = Math.floor(deps.clock.now() / 1_000);
  const isInTime = parts.validBefore > nowSeconds && parts.validBefore <= nowSeconds + VALIDITY_MAX_SECONDS;
  if (!isInTime || !isBoundNonce(parts.nonce, asked.terms.extra.requestHash)) return CHANGED;
  const payload = evmPayload(authorizationFor(asked, pinned, parts), signature);
  return { kind: 'signed', header: headerOf(asked, payload) };
}

/**
 * Named by what it pays for, like every payment of the bot. Without a name, a wallet's payment for another link with
 * the same terms would count as a retry of the first: both shown as paid, and only one charged.
 */
function headerOf({ challenge, terms, paymentId }: Asked, payload: Record<string, unknown>): string {
  return paymentHeader(challenge, terms, payload, paymentId);
}

export type SolanaParts = { blockhash: string; memo: string };

export function toTransfer(
  { total }: Asked,
  { payTo, feePayer }: PinnedSolana,
  { blockhash, memo }: SolanaParts,
): SolanaTransfer {
  return { payTo, feePayer, amountMicroUsdc: total, blockhash, memo };
}

/** What a wallet adds is accepted where it can do no harm; otherwise it is not what was shown. */
export function solanaHeader(
  deps: Pick<PayPagesDeps, 'solana'>,
  asked: Asked,
  pinned: PinnedSolana,
  { transaction, ...parts }: SolanaParts & { transaction: string },
): SignedHeader {
  if (!deps.solana || !isBoundNonce(parts.memo, asked.terms.extra.requestHash)) return CHANGED;
  const prepared = deps.solana.prepare(asked.address, toTransfer(asked, pinned, parts));
  const signed = deps.solana.readSigned(prepared, transaction);
  switch (signed.kind) {
    case 'fine':
      return { kind: 'signed', header: headerOf(asked, solanaPayload(signed.wire)) };
    case 'changed':
      return CHANGED;
    case 'added':
      return { kind: 'refused', reason: 'wallet_added' };
  }
}
