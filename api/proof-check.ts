import type { ExactEvmPayload, ProofRefusal } from '../core/x402.ts';

/** A payer's signed permission in the program's own form: addresses and nonce in lower case. */
export type Authorization = {
  from: string;
  to: string;
  value: bigint;
  validAfter: number;
  validBefore: number;
  nonce: string;
};

/** What a network can say about a proof before anything is claimed. No row is written and nothing is sent. */
export type ProofChecker = {
  /** The form in which the token accepts the signature; equal for all spellings of the same one. */
  normaliseSignature: (signature: string) => string;
  /** Our own and system addresses can never pay. */
  isForbiddenPayer: (address: string) => boolean;
  /** Whether the payer signed that a payment be taken back. */
  isCancelledBy: (
    payer: string,
    cancellation: { txnId: number; validBefore: number },
    signature: string,
  ) => Promise<boolean>;
  /**
   * Whether the authorization is used on the chain already: then anybody could have copied it from there. An answer that
   * does not come in time counts as no.
   */
  isUsed: (authorization: Authorization) => Promise<boolean>;
  /** A contract wallet is asked itself (ERC-1271), so that nobody can claim anything in its name. */
  checkSignature: (authorization: Authorization, signature: string) => Promise<'ok' | ProofRefusal>;
};

export function toAuthorization(payload: ExactEvmPayload): Authorization {
  const { authorization } = payload;
  return {
    from: authorization.from.toLowerCase(),
    to: authorization.to.toLowerCase(),
    value: BigInt(authorization.value),
    validAfter: authorization.validAfter,
    validBefore: authorization.validBefore,
    nonce: authorization.nonce.toLowerCase(),
  };
}
