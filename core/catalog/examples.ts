import type { z } from 'zod';
import type {
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
import type { claimAnswer, openClaimAnswer, proveClaimAnswer } from './claim-answers.ts';
import type { createdDistributionAnswer, distributionAnswer } from './reward-answers.ts';

/**
 * An example of each success, in the form of its schema.
 */
const RECEIPT = 'https://pay.example.com/receipts/AAAAAAAAAAAAAAAAAAAAAA';
const ATTEMPT = 'attempt_1795435200000_k3v9';
const SETTLED = '2026-11-24T12:00:00.000Z';
const LATER = '2026-12-24T12:00:00.000Z';

export const SINGLE_EXAMPLE = {
  code: 200,
  msg: '0.01 USDC sent successfully',
  data: { txn_id: 61, amount: 0.01, receipt: RECEIPT, status: 'queued', settlement_attempt_id: ATTEMPT },
} satisfies z.input<typeof singleAnswer>;

export const BATCH_EXAMPLE = {
  code: 200,
  msg: '0.01 USDC sent successfully to 1 user',
  settlement_attempt_id: ATTEMPT,
  data: [
    {
      txn_id: 61,
      username: 'someone@example.com',
      platform: 'email',
      amount: 0.01,
      receipt: RECEIPT,
      status: 'queued',
    },
  ],
} satisfies z.input<typeof batchAnswer>;

export const VALIDATE_EXAMPLE = {
  code: 200,
  msg: '0.01 USDC for an e-mail address: paid',
  data: {
    txn_id: 61,
    amount: 0.01,
    receipt: RECEIPT,
    status: 'paid',
    network: 'base',
    settled_at: SETTLED,
    settlement_attempt_id: ATTEMPT,
  },
} satisfies z.input<typeof validateAnswer>;

export const CANCEL_EXAMPLE = {
  code: 200,
  msg: '0.01 USDC for email:someone@example.com is on its way back to you',
  data: { txn_id: 61, amount: 0.01, receipt: RECEIPT, status: 'queued' },
} satisfies z.input<typeof cancelAnswer>;

export const RECEIPT_EXAMPLE = {
  code: 200,
  msg: '0.01 USDC for email:s…@example.com: paid',
  data: {
    txn_id: 61,
    amount: 0.01,
    currency: 'USDC',
    recipient: 'email:s…@example.com',
    platform: 'email',
    network: 'base',
    transaction: `0x${'ab'.repeat(32)}`,
    status: 'paid',
    finality: 'final',
    created_at: SETTLED,
    settled_at: SETTLED,
    receipt: RECEIPT,
  },
} satisfies z.input<typeof receiptAnswer>;

const DISTRIBUTION = {
  id: 'dist_AAAAAAAAAAAAAAAAAAAAAA',
  status: 'pending',
  platform: 'decsocial',
  content_id: `0x${'ab'.repeat(20)}`,
  budget: 0.01,
  fee: 0,
  total: 0.01,
  weights: { like: 1, comment: 2, repost: 3 },
  max_recipients: 100,
  created_at: SETTLED,
  expires_at: LATER,
  page: 'https://pay.example.com/rewards/dist_AAAAAAAAAAAAAAAAAAAAAA',
  csv: 'https://pay.example.com/rewards/dist_AAAAAAAAAAAAAAAAAAAAAA/shares.csv',
  post: {
    url: `https://farcaster.xyz/someone/0x${'ab'.repeat(5)}`,
    author: 'someone',
    author_id: '1',
    text: 'Hello',
    published_at: SETTLED,
  },
  recipients: [{ username: 'another', user_id: '2', weight: 1, amount: 0.01, wallet_address: null }],
  left_out: [{ reason: 'author', count: 1 }],
  counts: null,
} satisfies z.input<typeof distributionAnswer>['data'];

export const DISTRIBUTION_EXAMPLE = {
  code: 200,
  msg: '0.01 USDC for 1 person, to be confirmed until 2026-12-24',
  data: DISTRIBUTION,
} satisfies z.input<typeof distributionAnswer>;

export const CREATED_DISTRIBUTION_EXAMPLE = {
  ...DISTRIBUTION_EXAMPLE,
  data: { ...DISTRIBUTION, order_secret: 'c2VjcmV0LW9mLWl0cy1jcmVhdGlvbg' },
} satisfies z.input<typeof createdDistributionAnswer>;

export const OPEN_CLAIM_EXAMPLE = {
  code: 201,
  msg: 'Prove that email:someone@example.com is yours until 2026-12-24 12:00 UTC',
  data: {
    claim_id: 'claim_AAAAAAAAAAAAAAAAAAAAAA',
    method: 'email',
    expires_at: LATER,
    email: { to: 'someone@example.com', code_expires_at: SETTLED, tries_left: 5, last_mail_at: SETTLED },
  },
} satisfies z.input<typeof openClaimAnswer>;

const SUMS = [{ network: 'base', amount: 0.01 }];

export const PROVE_CLAIM_EXAMPLE = {
  code: 200,
  msg: '0.01 USDC waits for email:someone@example.com',
  data: {
    status: 'verified',
    name: 'email:someone@example.com',
    total: 0.01,
    sums: SUMS,
    destinations: null,
    confirm_token: 'from the proof',
  },
} satisfies z.input<typeof proveClaimAnswer>;

export const CLAIM_EXAMPLE = {
  code: 200,
  msg: '0.01 USDC is on its way',
  data: {
    claim_id: 'claim_AAAAAAAAAAAAAAAAAAAAAA',
    method: 'email',
    status: 'paying',
    reason: null,
    expires_at: LATER,
    name: 'email:someone@example.com',
    total: 0.01,
    sums: SUMS,
    network: 'base',
    destinations: [{ network: 'base', address: `0x${'ab'.repeat(20)}` }],
    effective_at: null,
    waiting_for_route: null,
    returned: null,
    txn_ids: [61],
    transaction_hashes: [],
  },
} satisfies z.input<typeof claimAnswer>;

export const ALIVE_EXAMPLE = { code: 200, msg: 'alive' } as const;

export const READY_EXAMPLE = {
  code: 200,
  msg: 'ready',
  parts: { database: 'ok', api: 'ok' },
  waiting_for: [],
} satisfies z.input<typeof readyAnswer>;

export const HEALTH_EXAMPLE = {
  code: 200,
  msg: 'everything serves',
  paused: false,
  parts: { database: 'ok', queue: 'ok', worker: 'ok' },
  networks: { base: { serves: true } },
  waiting_for: [],
} satisfies z.input<typeof healthAnswer>;

const BOOKS = {
  solvent: true,
  block: 1,
  age_seconds: 3,
  assets: '100',
  on_chain: '100',
  liabilities: '0',
  unexplained: '0',
  float: '100',
  reorg_loss: '0',
};

export const SOLVENT_EXAMPLE = {
  code: 200,
  solvent: true,
  msg: 'solvent',
  checked_at: SETTLED,
  networks: { base: BOOKS },
} satisfies z.input<typeof solventAnswer>;

/** For answers with a 503 that are not errors. */
export const NOT_READY_EXAMPLE = {
  ...READY_EXAMPLE,
  code: 503,
  msg: 'not ready',
  parts: { database: 'down', api: 'ok' },
  waiting_for: ['the database'],
} satisfies z.input<typeof notReadyAnswer>;

export const NOT_HEALTHY_EXAMPLE = {
  ...HEALTH_EXAMPLE,
  code: 503,
  msg: 'something does not serve',
  networks: { base: { serves: false, reason: 'no_answer' } },
} satisfies z.input<typeof notHealthyAnswer>;

export const INSOLVENT_EXAMPLE = {
  ...SOLVENT_EXAMPLE,
  code: 503,
  solvent: false,
  msg: 'not shown to be solvent',
  networks: { base: { ...BOOKS, solvent: false, reason: 'not_covered' } },
} satisfies z.input<typeof insolventAnswer>;
