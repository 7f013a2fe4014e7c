import type { Network } from '../../core/networks.ts';
import type { ClaimedRecipient } from '../identities/identities.ts';

export type NewLine = {
  txnId: number;
  slug: string;
  publicSlug: string;
  /** A new id: for a person paid for the first time, or the placeholder of one not resolved yet. */
  identityId: string;
  recipient: ClaimedRecipient;
  receiver: string;
  amountMicroUsdc: bigint;
  note: string | null;
};

/** A payment as it is about to be written. */
export type PaymentOrder = {
  paymentId: string;
  network: Network;
  payer: string;
  payerAccount: string | null;
  nonce: string;
  payTo: string;
  validAfter: number;
  validBefore: number;
  signature: string;
  payloadHash: string;
  operation: string;
  requestHash: string;
  idempotencyKey: string | null;
  /** What can be paid only once; null for a payment that stands alone. */
  orderId: string | null;
  sumMicroUsdc: bigint;
  feeMicroUsdc: bigint;
  /** Of the fee: what it pays for its own cost. */
  costMicroUsdc: bigint;
  /** The gas that this, or the day's budget, has paid for. */
  costPrepaid: bigint;
  description: string | null;
  meta: Record<string, unknown> | null;
  agentKnown: boolean;
  payerReference: string | null;
  /** The payer's endpoint that is told what becomes of it; absent or null: none. */
  endpointId?: string | null;
  bound: boolean;
  landedBefore: boolean;
  lines: NewLine[];
  /** False when recipients were not looked up, because the request was expected to join an earlier payment. */
  resolved: boolean;
  nowMs: number;
  expiresAtMs: number;
};
