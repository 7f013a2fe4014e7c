import { NETWORKS } from '../../core/networks.ts';
import { sql } from 'drizzle-orm';
import { DELIVERY_OUTCOMES, ENDPOINT_ENDS, EVENT_TYPES } from '../../core/events/events.ts';
import type { PushTarget } from '../../core/events/push.ts';
import { LINE_STATES, PAYMENT_STATES, RETURN_REASONS } from '../../core/states.ts';
import type { Kit } from '../dialects/kit-sqlite.ts';

/** Delivery of the answer: what decides whether a repeated request joins the first or is a second payment. */
export const DELIVERIES = ['waiting', 'handed', 'missed'] as const;

export const definePaymentTables = (k: Kit) => ({
  /** One accepted request, paid by one authorization. Its id is the `settlement_attempt_id` of the wire. */
  payments: k.table(
    'payments',
    {
      id: k.text('id').primaryKey(),
      network: k.oneOf('network', NETWORKS).notNull(),
      payer: k.text('payer').notNull(),
      /** The token account that pays, on Solana. */
      payerAccount: k.text('payer_account'),
      nonce: k.text('nonce').notNull(),
      payTo: k.text('pay_to').notNull(),
      validAfter: k.int('valid_after').notNull(),
      validBefore: k.int('valid_before').notNull(),
      /** What the payer signed with; on Solana the partly signed transaction in base64. */
      signature: k.text('signature').notNull(),
      operation: k.text('operation').notNull(),
      requestHash: k.text('request_hash').notNull(),
      idempotencyKey: k.text('idempotency_key'),
      sumMicroUsdc: k.bigint('sum_micro_usdc').notNull(),
      feeMicroUsdc: k.bigint('fee_micro_usdc').notNull(),
      /** The part of the fee that pays for its cost on the chain; 0 where we carry it. */
      costMicroUsdc: k.bigint('cost_micro_usdc').notNull(),
      /** What is left of the gas that it has bought, or was given from the day's budget, in gwei or lamports. */
      costPrepaid: k.bigint('cost_prepaid').notNull(),
      description: k.text('description'),
      meta: k.json<Record<string, unknown>>('meta'),
      /** Our bot sent it, so `agent_name` in `meta` is a user it identified, not a name the caller chose. */
      agentKnown: k.bool('agent_known').notNull(),
      payerReference: k.text('payer_reference'),
      status: k.oneOf('status', PAYMENT_STATES).notNull(),
      rejectReason: k.text('reject_reason'),
      /** The carrier that it is in now; null while it waits for one. On Solana there is only ever one. */
      carrierId: k.text('carrier_id'),
      nextTryAtMs: k.int('next_try_at_ms').notNull(),
      tries: k.int('tries').notNull(),
      delivery: k.oneOf('delivery', DELIVERIES).notNull(),
      /** Written once, when settled; a stored answer never changes. */
      answer: k.json<Record<string, unknown>>('answer'),
      landedTransaction: k.text('landed_transaction'),
      landedBlock: k.int('landed_block'),
      /** The task address that a plain transfer paid to. Such a payment has no authorization. */
      landedAddress: k.text('landed_address'),
      createdAtMs: k.int('created_at_ms').notNull(),
      /** By the database's clock, because a retry may come to a process whose clock is another. */
      reservedAtMs: k.int('reserved_at_ms').notNull(),
      settledAtMs: k.int('settled_at_ms'),
      /** Its nonce names the request, so that it counts even if it landed before it was presented. */
      bound: k.bool('bound').notNull(),
      /** Its authorization was used on the chain before it was presented here. */
      landedBefore: k.bool('landed_before').notNull(),
      /** Which endpoint of its payer is told what becomes of it; null: none. */
      endpointId: k.text('endpoint_id'),
    },
    (t) => [
      k.index('payments_status_idx').on(t.status, t.carrierId, t.nextTryAtMs),
      k.index('payments_join_idx').on(t.payer, t.requestHash, t.reservedAtMs),
      k.index('payments_payer_idx').on(t.payer, t.createdAtMs),
      k.index('payments_carrier_idx').on(t.carrierId),
      k.index('payments_landed_idx').on(t.landedTransaction),
      // Their reservations may be released, so that nothing else leads from an authorization to them.
      k
        .index('payments_refused_idx')
        .on(t.nonce)
        .where(sql`${t.rejectReason} is not null`),
      k.check('payments_sum_positive', sql`${t.sumMicroUsdc} > 0`),
      k.check('payments_fee_positive', sql`${t.feeMicroUsdc} >= 0`),
    ],
  ),

  /** A reserved payment proof. The primary key is what makes an authorization pay for one request only. */
  proofs: k.table(
    'proofs',
    {
      network: k.oneOf('network', NETWORKS).notNull(),
      payer: k.text('payer').notNull(),
      nonce: k.text('nonce').notNull(),
      payloadHash: k.text('payload_hash').notNull(),
      requestHash: k.text('request_hash').notNull(),
      paymentId: k.text('payment_id').notNull(),
      /** A second proof for the same request after a missed answer: answered like the first, never settled. */
      alias: k.bool('alias').notNull(),
      claimedAtMs: k.int('claimed_at_ms').notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.network, t.payer, t.nonce] }), k.index('proofs_payment_idx').on(t.paymentId)],
  ),

  idempotencyKeys: k.table(
    'idempotency_keys',
    {
      payer: k.text('payer').notNull(),
      key: k.text('key').notNull(),
      requestHash: k.text('request_hash').notNull(),
      paymentId: k.text('payment_id').notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.payer, t.key] })],
  ),

  /** What can be paid only once, by any payer: an agent's task, a distribution. The first proof takes it. */
  purchases: k.table(
    'purchases',
    {
      orderId: k.text('order_id').primaryKey(),
      paymentId: k.text('payment_id').notNull(),
    },
    (t) => [k.index('purchases_payment_idx').on(t.paymentId)],
  ),

  /** How many unsettled proofs a payer has: a counter row, because counting rows races on PostgreSQL. */
  payerLoads: k.table('payer_loads', {
    payer: k.text('payer').primaryKey(),
    unsettled: k.int('unsettled').notNull(),
  }),

  /** One recipient's part of a payment. */
  lines: k.table(
    'lines',
    {
      /** A random positive safe integer: `txn_id` of the wire. */
      txnId: k.int('txn_id').primaryKey(),
      paymentId: k.text('payment_id').notNull(),
      position: k.int('position').notNull(),
      /** While the line is `resolving`: a placeholder id that belongs to no identity. */
      identityId: k.text('identity_id').notNull(),
      platform: k.text('platform').notNull(),
      receiver: k.text('receiver').notNull(),
      recipientKey: k.text('recipient_key').notNull(),
      display: k.text('display').notNull(),
      amountMicroUsdc: k.bigint('amount_micro_usdc').notNull(),
      /** What the payer wrote for this recipient; null where the payment's description counts. */
      note: k.text('note'),
      status: k.oneOf('status', LINE_STATES).notNull(),
      payoutId: k.text('payout_id'),
      /** Why the line is `returning`, unless it expired or the payer took it back. */
      returnReason: k.oneOf('return_reason', RETURN_REASONS),
      /** 128 random bits in base64url: the receipt's address. */
      slug: k.text('slug').notNull(),
      /** The same receipt without note and sender, for a visitor who found it by public data on the chain. */
      publicSlug: k.text('public_slug').notNull(),
      expiresAtMs: k.int('expires_at_ms').notNull(),
    },
    (t) => [
      k.uniqueIndex('lines_slug_uq').on(t.slug),
      k.uniqueIndex('lines_public_slug_uq').on(t.publicSlug),
      k.index('lines_recipient_idx').on(t.platform, t.recipientKey, t.amountMicroUsdc),
      k.uniqueIndex('lines_position_uq').on(t.paymentId, t.position),
      k.index('lines_status_idx').on(t.status, t.expiresAtMs),
      k.index('lines_identity_idx').on(t.identityId, t.status, t.expiresAtMs),
      k.index('lines_payout_idx').on(t.payoutId),
      k.check('lines_amount_positive', sql`${t.amountMicroUsdc} > 0`),
    ],
  ),

  /** Where payers are told what becomes of their payments (its secret is made from its id), or callers of their A2A task. */
  eventEndpoints: k.table(
    'event_endpoints',
    {
      id: k.text('id').primaryKey(),
      /** Null for a task's. */
      network: k.oneOf('network', NETWORKS),
      /** Who signed for it: only their payments may name it. Null for a task's. */
      payer: k.text('payer'),
      /** The A2A task that it is told of; null for a payer's. */
      taskId: k.text('task_id'),
      push: k.json<PushTarget>('push'),
      url: k.text('url').notNull(),
      createdAtMs: k.int('created_at_ms').notNull(),
      /** Of a task's: when its address answered the challenge that counts for it, perhaps one for another task. */
      consentAtMs: k.int('consent_at_ms'),
      /** When a payment named it first; null: none has, so it is forgotten one day. */
      usedAtMs: k.int('used_at_ms'),
      /** When it took an event last. */
      deliveredAtMs: k.int('delivered_at_ms'),
      endedAtMs: k.int('ended_at_ms'),
      endReason: k.oneOf('end_reason', ENDPOINT_ENDS),
    },
    (t) => [
      k
        .index('event_endpoints_payer_idx')
        .on(t.payer, t.network)
        .where(sql`${t.endedAtMs} IS NULL`),
      k
        .index('event_endpoints_unused_idx')
        .on(t.createdAtMs)
        .where(sql`${t.usedAtMs} IS NULL`),
      k
        .index('event_endpoints_task_idx')
        .on(t.taskId)
        .where(sql`${t.taskId} IS NOT NULL`),
      k
        .index('event_endpoints_consent_idx')
        .on(t.url, t.consentAtMs)
        .where(sql`${t.consentAtMs} IS NOT NULL`),
      k.check('event_endpoints_owner', sql`(${t.taskId} IS NULL) = (${t.payer} IS NOT NULL)`),
    ],
  ),

  /** What an endpoint is told: that these lines of a payment, or a task, have reached a state. */
  eventDeliveries: k.table(
    'event_deliveries',
    {
      /** The `webhook-id`, made from payment, state and first line; of a task from endpoint, state and payment. */
      id: k.text('id').primaryKey(),
      endpointId: k.text('endpoint_id').notNull(),
      /** Null where a task changed without one. */
      paymentId: k.text('payment_id'),
      /** Null where a payer is told. */
      taskId: k.text('task_id'),
      type: k.oneOf('type', EVENT_TYPES).notNull(),
      /** None where a task is told. */
      txnIds: k.json<readonly number[]>('txn_ids').notNull(),
      /** When the first of them reached the state. */
      atMs: k.int('at_ms').notNull(),
      /** Once it may have been sent, no further line is added. */
      isSealed: k.bool('is_sealed').notNull(),
      failures: k.int('failures').notNull(),
      /** Null once it is over. */
      nextAtMs: k.int('next_at_ms'),
      /** What the last try met: a status, or why no answer came. */
      lastAnswer: k.text('last_answer'),
      endedAtMs: k.int('ended_at_ms'),
      outcome: k.oneOf('outcome', DELIVERY_OUTCOMES),
    },
    (t) => [
      k
        .index('event_deliveries_due_idx')
        .on(t.nextAtMs)
        .where(sql`${t.nextAtMs} IS NOT NULL`),
      k
        .index('event_deliveries_endpoint_idx')
        .on(t.endpointId, t.nextAtMs)
        .where(sql`${t.nextAtMs} IS NOT NULL`),
      k.index('event_deliveries_payment_idx').on(t.paymentId, t.type),
      k
        .index('event_deliveries_task_idx')
        .on(t.taskId)
        .where(sql`${t.taskId} IS NOT NULL`),
      k
        .index('event_deliveries_undelivered_idx')
        .on(t.endedAtMs)
        .where(sql`${t.outcome} <> 'delivered'`),
    ],
  ),
});
