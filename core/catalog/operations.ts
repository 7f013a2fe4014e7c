import { batchPaymentBody, crossBatchPaymentBody, parseBatchPayment, parseCrossBatchPayment } from '../bodies/batch.ts';
import { cancelBody } from '../bodies/cancel.ts';
import { parseSinglePayment, singlePaymentBody } from '../bodies/single.ts';
import { validateQuery } from '../bodies/validate.ts';
import type { ErrorCode } from '../errors.ts';
import type { Platform } from '../platforms/platforms.ts';
import {
  aliveAnswer,
  batchAnswer,
  cancelAnswer,
  healthAnswer,
  insolventAnswer,
  notHealthyAnswer,
  notReadyAnswer,
  readyAnswer,
  receiptAnswer,
  singleAnswer,
  solventAnswer,
  validateAnswer,
} from './answers.ts';
import { BATCH_SKILL, BATCH_TOOL, PAY_SKILL, PAY_TOOL, VALIDATE_TOOL } from './agents.ts';
import {
  ALIVE_EXAMPLE,
  BATCH_EXAMPLE,
  CANCEL_EXAMPLE,
  HEALTH_EXAMPLE,
  INSOLVENT_EXAMPLE,
  NOT_HEALTHY_EXAMPLE,
  NOT_READY_EXAMPLE,
  READY_EXAMPLE,
  RECEIPT_EXAMPLE,
  SINGLE_EXAMPLE,
  SOLVENT_EXAMPLE,
  VALIDATE_EXAMPLE,
} from './examples.ts';
import { CLAIM_OPERATIONS } from './claims.ts';
import { EVENT_OPERATIONS } from './events.ts';
import { REWARD_OPERATIONS } from './rewards.ts';
import { BODY, FREE, PLAIN, TRANSPORT, type CatalogRow, type NamedRow } from './row.ts';

const PAYING = [
  ...BODY,
  'invalid_amount',
  'invalid_currency',
  'invalid_receiver',
  'platform_unavailable',
  'receiver_not_found',
  'receiver_opted_out',
  'payment_already_used',
  'payment_returned',
  'payer_barred',
  'declined',
  'idempotency_key_reused',
  'invalid_idempotency_key',
  'event_endpoint_not_found',
  'settlement_pending',
  'service_paused',
  'service_closing',
  'network_unavailable',
  'overloaded',
  'starting',
  ...TRANSPORT,
] as const satisfies readonly ErrorCode[];

const PAID = { method: 'post', group: 'Payments', takesProof: true, errors: PAYING } as const;

/** The platform of a path that has one. */
function named(platform: Platform | null): Platform {
  if (platform === null) throw new Error('this operation is served under a path that names a platform');
  return platform;
}

/**
 * Every operation. The OpenAPI document, `/docs`, the MCP tools and the A2A skills are made from these rows, and paid
 * operations are served from them: a new operation is a row here. Receivers in examples are names that RFC 2606
 * reserves.
 */
export const CATALOG = {
  pay: {
    ...PAID,
    ...PLAIN,
    path: '/payments/{platform}/pay',
    summary: 'Pay one recipient',
    description:
      'Without a proof the answer is 402 with the price. The same request with a signed proof is settled on chain and answered with 200 and a receipt. When the platform does not say in time whom the name means, it is asked again for 15 minutes; if nobody is found, the money goes back to the payer.',
    parameters: ['platform'],
    request: { in: 'body', schema: singlePaymentBody, example: { receiver: 'someone@example.com', amount: 0.01 } },
    success: singleAnswer,
    answerExample: SINGLE_EXAMPLE,
    paid: { kind: 'pay', read: (body, _offer, platform) => parseSinglePayment(named(platform), body) },
    tool: PAY_TOOL,
    skill: PAY_SKILL,
  },
  batchPay: {
    ...PAID,
    ...PLAIN,
    path: '/payments/{platform}/batch-pay',
    summary: 'Pay up to 100 recipients on one platform',
    description:
      'One payment in, a payout per line, in the order of the request. A line that is refused refuses the batch and is named by its index.',
    parameters: ['platform'],
    request: {
      in: 'body',
      schema: batchPaymentBody,
      example: {
        receivers: [
          { receiver: 'someone@example.com', amount: 0.01 },
          { receiver: 'another@example.com', amount: 0.02 },
        ],
      },
    },
    success: batchAnswer,
    answerExample: BATCH_EXAMPLE,
    paid: { kind: 'batch-pay', read: (body, _offer, platform) => parseBatchPayment(named(platform), body) },
    tool: null,
    skill: BATCH_SKILL,
  },
  crossBatchPay: {
    ...PAID,
    ...PLAIN,
    path: '/payments/batch-pay',
    summary: 'Pay up to 100 recipients across platforms',
    description: 'As a batch on one platform; each receiver names its own.',
    parameters: [],
    request: {
      in: 'body',
      schema: crossBatchPaymentBody,
      example: {
        receivers: [
          { platform: 'email', receiver: 'someone@example.com', amount: 0.01 },
          { platform: 'web', receiver: 'example.com', amount: 0.02 },
        ],
      },
    },
    success: batchAnswer,
    answerExample: BATCH_EXAMPLE,
    paid: { kind: 'cross-batch-pay', read: (body, offer) => parseCrossBatchPayment(body, offer) },
    tool: BATCH_TOOL,
    skill: null,
  },
  validatePayment: {
    ...FREE,
    ...PLAIN,
    takesProof: true,
    tool: VALIDATE_TOOL,
    method: 'get',
    path: '/payments/validate',
    group: 'Payments',
    summary: 'Ask what became of a payment',
    description:
      'By txn_id, settlement_attempt_id, transaction_hash, amount with receiver, or by the header of a proof. The same keys may come as a JSON body. 200 means settled.',
    parameters: [],
    request: { in: 'query', schema: validateQuery, example: { txn_id: '1' } },
    success: validateAnswer,
    answerExample: VALIDATE_EXAMPLE,
    errors: [
      'validation_failed',
      'invalid_json',
      'body_too_large',
      'invalid_amount',
      'invalid_receiver',
      'platform_unavailable',
      'payment_not_found',
      'ambiguous',
      'settlement_pending',
      ...TRANSPORT,
    ],
  },
  cancelPayment: {
    ...FREE,
    ...PLAIN,
    method: 'post',
    path: '/payments/{txn_id}/cancel',
    group: 'Payments',
    summary: 'Take back what nobody has collected',
    description: 'Signed by the account that paid. Possible while the payment waits to be collected.',
    parameters: ['txn_id'],
    request: { in: 'body', schema: cancelBody, example: { signature: `0x${'00'.repeat(65)}`, valid_before: 1 } },
    success: cancelAnswer,
    answerExample: CANCEL_EXAMPLE,
    errors: [...BODY, 'payment_not_found', 'not_cancellable', 'invalid_signature', ...TRANSPORT],
  },
  getReceipt: {
    ...FREE,
    method: 'get',
    path: '/receipts/{slug}',
    group: 'Receipts',
    summary: 'Read a receipt',
    description:
      'JSON with Accept: application/json, a live stream with text/event-stream, a page for people otherwise.',
    parameters: ['slug'],
    request: null,
    success: receiptAnswer,
    answerExample: RECEIPT_EXAMPLE,
    errors: TRANSPORT,
    unavailable: null,
    otherTypes: ['text/html', 'text/event-stream'],
  },
  getReceiptPreview: {
    ...FREE,
    method: 'get',
    path: '/receipts/{slug}/preview.png',
    group: 'Receipts',
    summary: 'See a receipt as a picture',
    description:
      'For previews of links: 1200 by 630, with amount, recipient and state. Its ETag changes with what it shows; ask with If-None-Match.',
    parameters: ['slug'],
    request: null,
    success: null,
    answerExample: null,
    errors: TRANSPORT,
    unavailable: null,
    otherTypes: ['image/png'],
  },
  ...EVENT_OPERATIONS,
  ...REWARD_OPERATIONS,
  ...CLAIM_OPERATIONS,
  isAlive: {
    ...FREE,
    ...PLAIN,
    method: 'get',
    path: '/health/live',
    group: 'Health',
    summary: 'The process answers',
    description: 'Says nothing about what it depends on.',
    parameters: [],
    request: null,
    success: aliveAnswer,
    answerExample: ALIVE_EXAMPLE,
    errors: [],
  },
  isReady: {
    ...FREE,
    method: 'get',
    path: '/health/ready',
    group: 'Health',
    summary: 'This process serves',
    description:
      'For a load balancer: 200 when the roles of the process that answers serve, else 503. Another role or a network that is away is told by /health.',
    parameters: [],
    request: null,
    success: readyAnswer,
    answerExample: READY_EXAMPLE,
    errors: ['internal_error'],
    unavailable: { schema: notReadyAnswer, example: NOT_READY_EXAMPLE },
    otherTypes: [],
  },
  isHealthy: {
    ...FREE,
    method: 'get',
    path: '/health',
    group: 'Health',
    summary: 'Everything serves',
    description: '200 when database, queue, worker and every network do, else 503; it says which does not.',
    parameters: [],
    request: null,
    success: healthAnswer,
    answerExample: HEALTH_EXAMPLE,
    errors: ['internal_error'],
    unavailable: { schema: notHealthyAnswer, example: NOT_HEALTHY_EXAMPLE },
    otherTypes: [],
  },
  isSolvent: {
    ...FREE,
    method: 'get',
    path: '/health/solvency',
    group: 'Health',
    summary: 'What is owed is there',
    description:
      'Books and chain of each network, in USDC, compared at one block at most every ten seconds: assets + reorg_loss = liabilities + float. 200 when the chain holds what the books say and that covers the liabilities everywhere; 503 when it does not, differs twice in a row, was not compared for a minute, or while signing is stopped.',
    parameters: [],
    request: null,
    success: solventAnswer,
    answerExample: SOLVENT_EXAMPLE,
    errors: ['internal_error'],
    unavailable: { schema: insolventAnswer, example: INSOLVENT_EXAMPLE },
    otherTypes: [],
  },
} as const satisfies Record<string, CatalogRow>;

export type OperationId = keyof typeof CATALOG;

/** The rows in order, without their literal types, for code that treats all alike. */
export const CATALOG_ROWS: readonly NamedRow[] = Object.entries<CatalogRow>(CATALOG).map(([id, row]) => ({
  ...row,
  id,
}));
