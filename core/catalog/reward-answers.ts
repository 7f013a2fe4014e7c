import { REWARD_PLATFORM } from '../rewards/engagement.ts';
import { z } from 'zod';
import { DISTRIBUTION_STATES, WIRE_STATUSES } from '../states.ts';

/** The answers of rewards, as in `answers.ts`. */
const message = z.string().meta({ description: 'for people; may change' });
const time = z.iso.datetime();
const amount = z.number().meta({ description: 'USDC' });
const weight = z.number().min(0).max(100);
const attemptId = z.string().regex(/^attempt_[0-9]+_[0-9a-z]+$/);

const status = z.enum(DISTRIBUTION_STATES).meta({
  description:
    'pending: may be confirmed; confirming: a payment is on its way; confirmed: paid, shares on their way; completed: everybody has their share; partial: nothing is on its way, and someone has not; rejected; expired',
});

const recipient = z.object({
  username: z.string().nullable(),
  user_id: z.string().nullable(),
  weight: z.number().meta({ description: 'part of the budget; all together 1' }),
  amount,
  wallet_address: z.string().nullable().meta({ description: 'published by the person on that platform' }),
  txn_id: z.int().positive().optional().meta({ description: 'once it is paid for' }),
  receipt: z.url().optional(),
  status: z.enum(WIRE_STATUSES).optional(),
  claim_url: z.url().optional().meta({ description: 'with pending_claim: where the recipient collects' }),
  expires_at: time.optional().meta({ description: 'with pending_claim: then it goes back to the payer' }),
});

const data = z.object({
  id: z.string().regex(/^dist_[A-Za-z0-9_-]{22}$/),
  status,
  platform: z.literal(REWARD_PLATFORM),
  content_id: z.string().regex(/^0x[0-9a-f]{40}$/),
  budget: amount,
  fee: amount,
  total: amount.meta({ description: 'budget and fee: what the confirmation costs' }),
  weights: z.object({ like: weight, comment: weight, repost: weight }),
  max_recipients: z.int(),
  created_at: time,
  expires_at: time.meta({ description: 'until when it may be confirmed' }),
  page: z.url().meta({ description: 'for people; JSON and a live stream for programs' }),
  csv: z.url(),
  post: z.object({
    url: z.url(),
    author: z.string().meta({ description: 'the name, or the id where there is none' }),
    author_id: z.string(),
    text: z.string().meta({ description: 'the beginning of the post, as its author wrote it' }),
    published_at: time,
  }),
  settlement_attempt_id: attemptId.optional().meta({ description: 'of the payment that confirms it' }),
  network: z.string().optional(),
  transaction: z.string().nullable().optional().meta({ description: 'null while no block holds it' }),
  recipients: z.array(recipient).meta({ description: 'by rank; frozen when it was created' }),
  left_out: z.array(z.object({ reason: z.string(), count: z.int().positive() })),
  counts: z
    .object({ paid: z.int(), queued: z.int(), pending_claim: z.int(), refunded: z.int(), held: z.int() })
    .nullable()
    .meta({ description: 'recipients by status; null before it is paid for' }),
});

export const distributionAnswer = z.object({ code: z.literal(200), msg: message, data });

export const createdDistributionAnswer = z.object({
  code: z.literal(200),
  msg: message,
  data: data.extend({ order_secret: z.string().meta({ description: 'rejects it; told here only' }) }),
});
