import type { ProofRefusal, TransferRefusal } from '../../core/payments/refusals.ts';

/**
 * A payer's signed permission in the program's own form, whatever the network. Addresses are canonical: lower case on
 * Base, base58 on Solana.
 */
export type Authorization = {
  from: string;
  to: string;
  value: bigint;
  /** Unix seconds; both are 0 where the network counts blocks instead. */
  validAfter: number;
  validBefore: number;
  /** With the payer it names the permission for good: the nonce on Base, the SHA-256 of the message on Solana. */
  nonce: string;
  /** The token account that pays, where the network has such accounts; a refund goes back there. */
  payerAccount: string | null;
};

export type ReadPayload = {
  authorization: Authorization;
  /** What makes the permission valid: a signature on Base, the partly signed transaction on Solana. */
  signature: string;
};

/** What a network can tell about a proof before it is reserved. Writes no row and sends nothing. */
export type ProofChecker = {
  /** Reads the network's part of an x402 payload; null when it has another form. */
  read: (payload: unknown) => ReadPayload | null;
  /** Terms, window and signature: everything that can be known before a reservation. */
  check: (proof: ReadPayload, total: bigint, nowSeconds: number) => Promise<'ok' | ProofRefusal>;
  /** Whether the payer signed to take a payment back. */
  isCancelledBy: (
    payer: string,
    cancellation: { txnId: number; validBefore: number },
    signature: string,
  ) => Promise<boolean>;
  /** Whether the payer signed to be told at this address what becomes of their payments. */
  isEndpointOf: (payer: string, consent: { url: string; validBefore: number }, signature: string) => Promise<boolean>;
  /** What has to be signed for that, for a person. */
  endpointWords: (consent: { url: string; validBefore: number }) => string;
  /**
   * Whether the authorization is used on the chain already: then anyone could have copied it from there. An answer that
   * does not come in time counts as no.
   */
  isUsed: (authorization: Authorization) => Promise<boolean>;
  /** The same where an answer that does not come in time counts as none. */
  lookUp: (authorization: Authorization) => Promise<'used' | 'unused' | 'unknown'>;
  /**
   * Whether it would work on the chain now. Asked before it keeps others from what can be paid once only: signing is
   * free, so a payer without money could block it for ever. An answer that does not come in time counts as yes, and so
   * does a used one, which the reservation judges.
   */
  tryOut: (proof: ReadPayload) => Promise<'ok' | TransferRefusal>;
  /** Whether its nonce names the request, so that it counts even when it landed before it was presented. */
  isBound: (authorization: Authorization, requestHash: string) => boolean;
};
