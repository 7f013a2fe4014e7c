import { z } from 'zod';
import { OUTAGE_WORDS } from '../payments/outages.ts';
import { WIRE_STATUSES } from '../states.ts';
import { DOUBT_WORDS } from '../solvency.ts';
import { REFUSAL_TEXTS, type ProofRefusal } from '../payments/refusals.ts';

/**
 * Schemas of the answers: they document (OpenAPI), and tests check the real answers against them.
 * They accept further keys, so that an answer can grow without breaking its readers.
 */
const message = z.string().meta({ description: 'for people; may change' });
const attemptId = z.string().regex(/^attempt_[0-9]+_[0-9a-z]+$/);
const requestId = z.string().min(1).meta({ description: 'as in X-Request-Id; name it when you ask for help' });
const time = z.iso.datetime();

const txnId = z.int().positive().meta({ description: 'transaction identifier' });
const amount = z.number().meta({ description: 'USDC' });
/** Any text: platforms beyond those in the paths are not published. */
const platform = z.string().meta({ description: 'by its own name, whichever the request used' });
const receipt = z.url().meta({ description: 'page for people, JSON and a live stream for programs' });
const status = z.enum(WIRE_STATUSES).meta({
  description:
    'queued: payout on its way, or the recipient still being looked up; pending_claim: waits to be collected; paid; refunded; held: limit or screening',
});

const line = {
  txn_id: txnId,
  amount,
  receipt,
  status,
  claim_url: z.url().optional().meta({ description: 'with pending_claim: where the recipient collects' }),
  expires_at: time.optional().meta({ description: 'with pending_claim: then it goes back to the payer' }),
};

export const singleAnswer = z.object({
  code: z.literal(200),
  msg: message,
  data: z.object({ ...line, settlement_attempt_id: attemptId }),
});

export const batchAnswer = z.object({
  code: z.literal(200),
  msg: message,
  settlement_attempt_id: attemptId,
  data: z.array(
    z.object({
      ...line,
      username: z.string().nullable().meta({ description: 'recipient; null once that person had it erased' }),
      platform,
    }),
  ),
});

export const validateAnswer = z.object({
  code: z.literal(200),
  msg: message,
  data: z.object({
    txn_id: txnId,
    amount,
    receipt,
    status,
    network: z.string(),
    settled_at: time.nullable(),
    settlement_attempt_id: attemptId,
  }),
});

export const cancelAnswer = z.object({
  code: z.literal(200),
  msg: message,
  data: z.object({ txn_id: txnId, amount, receipt, status }),
});

export const receiptAnswer = z.object({
  code: z.literal(200),
  msg: message,
  data: z.object({
    txn_id: txnId,
    amount,
    currency: z.literal('USDC'),
    recipient: z.string().meta({ description: 'platform:name; an e-mail address is masked' }),
    platform,
    network: z.string(),
    transaction: z.string().nullable().meta({ description: 'the inbound transaction; null while no block holds it' }),
    status,
    finality: z.enum(['pending', 'settled', 'final']),
    created_at: time,
    settled_at: time.nullable(),
    expires_at: time.optional(),
    receipt,
  }),
});

export const aliveAnswer = z.object({ code: z.literal(200), msg: message });

const signs = z.record(z.string(), z.enum(['ok', 'down']));
const waitingFor = z.array(z.string()).meta({ description: 'what this process waits for, for people; may change' });
const readiness = {
  msg: message,
  parts: signs.meta({ description: 'the database, and the roles of this process: api, worker, bot' }),
  waiting_for: waitingFor,
};
export const readyAnswer = z.object({ code: z.literal(200), ...readiness });
export const notReadyAnswer = z
  .object({ code: z.literal(503), ...readiness })
  .meta({ description: 'This process does not serve: it starts, stops, or has no database.' });

const health = {
  msg: message,
  paused: z
    .boolean()
    .meta({ description: 'true while no network takes payments, because signing or payments are stopped on all' }),
  parts: signs.meta({ description: 'database, queue and worker, whichever process runs them' }),
  networks: z
    .record(
      z.string(),
      z.object({
        serves: z
          .boolean()
          .meta({ description: 'whether payments on it are settled now; only then is it in new terms' }),
        reason: z.enum(OUTAGE_WORDS).optional(),
        detail: message.optional(),
        payouts: z
          .literal('stopped')
          .optional()
          .meta({ description: 'the operator has stopped payouts: payments are taken, and their money waits' }),
      }),
    )
    .meta({ description: 'one per network' }),
  waiting_for: waitingFor,
};
export const healthAnswer = z.object({ code: z.literal(200), ...health });
export const notHealthyAnswer = z
  .object({ code: z.literal(503), ...health })
  .meta({ description: 'At least one part does not serve. The others do.' });

const usdc = z.string().regex(/^(?:0|[1-9][0-9]*)(?:\.[0-9]{1,6})?$/);
const books = z.object({
  solvent: z.boolean().meta({ description: 'everything owed is there: the chain holds what the books say' }),
  reason: z.enum(DOUBT_WORDS).optional().meta({ description: 'why it is not' }),
  block: z
    .int()
    .nullable()
    .meta({ description: 'where books and chain were compared: up to there it is in the books' }),
  age_seconds: z.int().nonnegative().meta({ description: 'how long ago' }),
  assets: usdc.meta({ description: 'USDC that is there for this service, by its books' }),
  on_chain: usdc.meta({ description: 'the same by the chain' }),
  liabilities: usdc.meta({
    description: 'owed to recipients and payers, on its way to them, or not explained yet; and earned fees',
  }),
  unexplained: usdc.meta({ description: 'of that, what came without a payment and is owed to its senders' }),
  float: usdc.meta({ description: 'the operator’s own money, put in' }),
  reorg_loss: usdc.meta({ description: 'paid out against payments that the chain then took back' }),
});
const solvency = {
  msg: message,
  checked_at: time,
  networks: z.record(z.string(), books).meta({ description: 'one per network that was compared' }),
};
export const solventAnswer = z.object({ code: z.literal(200), solvent: z.literal(true), ...solvency });
export const insolventAnswer = z
  .object({ code: z.literal(503), solvent: z.literal(false), ...solvency })
  .meta({ description: 'At least one network is not shown to be solvent.' });

const accepted = z.object({
  scheme: z.literal('exact'),
  network: z.string(),
  maxAmountRequired: z
    .string()
    .regex(/^[1-9][0-9]*$/)
    .meta({ description: 'sum and fee, in micro-USDC (6 decimals)' }),
  resource: z.url(),
  description: z.string().max(200),
  mimeType: z.string(),
  outputSchema: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'how it is called, and what is answered, for indexes' }),
  payTo: z.string(),
  maxTimeoutSeconds: z.int().positive(),
  asset: z.string(),
  extra: z.looseObject({ name: z.string(), version: z.string(), requestHash: z.string() }),
});

/** The reasons are the keys of the table of refusals; the cast restores the types that Object.keys drops. */
const refusals = Object.keys(REFUSAL_TEXTS) as [ProofRefusal, ...ProofRefusal[]];

/** The body of a 402. The second x402 generation reads the header PAYMENT-REQUIRED instead. */
export const challengeAnswer = z.object({
  x402Version: z.literal(1),
  code: z.literal(402),
  msg: message,
  error: z.enum(refusals).meta({ description: 'payment_required, or why the proof was refused' }),
  detail: z.string().optional(),
  accepts: z.array(accepted).meta({ description: 'one element per network; pay any one of them' }),
  request_id: requestId,
});

/** Every other answer that is no success. Each status of each operation narrows `error` to its own codes. */
export const errorAnswer = z.object({
  code: z.int().meta({ description: 'the HTTP status' }),
  msg: message,
  error: z.string().meta({ description: 'a stable word' }),
  field: z.string().optional().meta({ description: 'the body key, header or parameter that is wrong' }),
  detail: z.string().meta({ description: 'what came and what was wanted' }),
  suggestion: z.string().optional().meta({
    description: 'what to send in that field instead, where it is certain; platform:name for another platform',
  }),
  retryable: z.boolean().meta({ description: 'whether the same request may succeed later' }),
  settlement_attempt_id: attemptId.optional(),
  request_id: requestId,
});
