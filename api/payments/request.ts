import type { Purchase } from '../../core/bodies/order.ts';
import type { Operation } from '../../core/payments/operations.ts';
import type { Asker } from '../http/asker.ts';
import type { Proof } from './proof.ts';
import type { CallerConnection } from '../responses/responses.ts';

/** A paid request in the program's own form, whichever interface it came through. */
export type PaidRequest = Purchase & {
  operation: Operation;
  pathParameters: Record<string, string>;
  /** As received: what the proof is bound to. */
  body: unknown;
  /** Our bot asks: `agent_name` in `meta` names the account that it saw. */
  agentKnown: boolean;
  proofHeader: string | null;
  idempotencyKey: string | null;
  /** What can be paid once only, by any payer; null for a payment that stands for itself. */
  orderId: string | null;
  /** The payer's endpoint that is told what becomes of it; absent or null: none. No part of the request. */
  endpointId?: string | null;
  asker?: Asker;
  connection: CallerConnection;
  /** Does not wait for the settlement. */
  isImpatient?: boolean;
};

/** `hash` names the request; it goes into the challenge. */
/** `cost`: the part of the fee that pays for its cost on the chain. */
export type Price = { sum: bigint; fee: bigint; cost: bigint; total: bigint; hash: string };

/** A proof that passed every check, and what it pays for. */
export type Checked = { proof: Proof; hash: string; price: Price };

/** A payer is an account on one network. */
export function payerOf(proof: Proof): string {
  return proof.authorization.from;
}
