import { REWARD_PLATFORM } from '../rewards/engagement.ts';
import { confirmDistributionBody, createDistributionBody } from '../bodies/rewards.ts';
import type { ErrorCode } from '../errors.ts';
import { createdDistributionAnswer, distributionAnswer } from './reward-answers.ts';
import { CREATED_DISTRIBUTION_EXAMPLE, DISTRIBUTION_EXAMPLE } from './examples.ts';
import { BODY, FREE, PLAIN, TRANSPORT, type CatalogRow, type ToolForm } from './row.ts';

const CREATE_TOOL = {
  name: 'create_reward_distribution',
  title: 'Share out a reward among those who engaged with a post',
  description:
    'Free. Reads who liked, answered and recasted a Farcaster post and says who of them would get how much of "budget" (USDC, 0.01 to 1000): by weight, each 0.01 to 10 USDC, at most 100 people. Nothing is paid: show the list to whoever decides, then call confirm_reward_distribution with the id as order_id, within 24 hours. The list is frozen: what you see is what is paid. Each call makes another distribution.',
  arguments: createDistributionBody,
  paid: null,
} as const satisfies ToolForm;

const CONFIRM_TOOL = {
  name: 'confirm_reward_distribution',
  title: 'Pay a reward that was created',
  description:
    'Pays everybody in the list of a distribution, with one payment of its total. It can be paid once only, whoever pays: when it is paid already, the call answers the same and nothing is charged. Recipients need no wallet and no account here: what cannot be paid out at once waits for them and comes back to the payer if it is not collected in time. After a timeout or settlement_pending repeat the very same call with the very same payment.',
  arguments: confirmDistributionBody,
  paid: null,
} as const satisfies ToolForm;

const KNOWN = ['distribution_not_found', 'platform_unavailable', ...TRANSPORT] as const satisfies readonly ErrorCode[];

const CONFIRMING = [
  'validation_failed',
  'invalid_json',
  'body_too_large',
  'unsupported_media_type',
  'distribution_rejected',
  'distribution_expired',
  'order_in_progress',
  'receiver_opted_out',
  'payment_already_used',
  'payment_returned',
  'payer_barred',
  'declined',
  'idempotency_key_reused',
  'invalid_idempotency_key',
  'settlement_pending',
  'service_paused',
  'service_closing',
  'network_unavailable',
  'overloaded',
  'starting',
  ...KNOWN,
] as const satisfies readonly ErrorCode[];

const REWARD = { ...PLAIN, group: 'Rewards', platforms: [REWARD_PLATFORM] } as const;
const CONFIRM = {
  ...REWARD,
  method: 'post',
  takesProof: true,
  success: distributionAnswer,
  answerExample: DISTRIBUTION_EXAMPLE,
  paid: { kind: 'confirm-distribution' },
  skill: null,
  errors: CONFIRMING,
} as const;

/** Rewards for a post. */
export const REWARD_OPERATIONS = {
  createDistribution: {
    ...FREE,
    ...REWARD,
    method: 'post',
    path: '/rewards/{platform}/create-distribution',
    summary: 'Share out a reward for a post',
    description:
      'Says who gets how much, and pays nothing. Each call makes another distribution, which may be confirmed for 24 hours. The secret in the answer rejects it.',
    parameters: ['platform'],
    request: {
      in: 'body',
      schema: createDistributionBody,
      example: { budget: 5, content_id: '0xb87cf233790dd2d8a3ed9549f9e15069c02b1da0', max_recipients: 20 },
    },
    success: createdDistributionAnswer,
    answerExample: CREATED_DISTRIBUTION_EXAMPLE,
    tool: CREATE_TOOL,
    errors: [
      ...BODY,
      'invalid_amount',
      'invalid_receiver',
      'receiver_not_found',
      'content_not_found',
      'no_engagement',
      'budget_too_small',
      'budget_too_large',
      'upstream_unavailable',
      'platform_unavailable',
      ...TRANSPORT,
    ],
  },
  confirmDistribution: {
    ...CONFIRM,
    path: '/rewards/{platform}/confirm-distribution',
    summary: 'Pay a reward that was created',
    description:
      'One payment of its total. It can be paid once only, whoever pays: when it is paid already, the answer is the same and nothing is charged.',
    parameters: ['platform'],
    request: {
      in: 'body',
      schema: confirmDistributionBody,
      example: { order_id: 'dist_AAAAAAAAAAAAAAAAAAAAAA' },
    },
    tool: CONFIRM_TOOL,
  },
  confirmDistributionById: {
    ...CONFIRM,
    path: '/rewards/{platform}/confirm-distribution/{order_id}',
    summary: 'Pay a reward, named in the address',
    description: 'The same request as with its id in the body; a body means nothing here.',
    parameters: ['platform', 'order_id'],
    request: null,
    tool: null,
  },
  getDistribution: {
    ...FREE,
    ...REWARD,
    method: 'get',
    path: '/rewards/{platform}/distributions/{order_id}',
    summary: 'See a reward and what became of it',
    description: 'Whom it goes to, why, how much, and how far it is.',
    parameters: ['platform', 'order_id'],
    request: null,
    success: distributionAnswer,
    answerExample: DISTRIBUTION_EXAMPLE,
    errors: KNOWN,
  },
  rejectDistribution: {
    ...FREE,
    ...REWARD,
    method: 'post',
    path: '/rewards/{platform}/distributions/{order_id}/reject',
    summary: 'End a reward that nobody pays for',
    description:
      'With the secret of its creation as Authorization: Bearer. Not once it is paid (distribution_confirmed), nor while a payment is on its way (distribution_confirming), which may still fail.',
    parameters: ['platform', 'order_id'],
    request: null,
    success: distributionAnswer,
    answerExample: DISTRIBUTION_EXAMPLE,
    errors: [
      'wrong_order_secret',
      'distribution_confirming',
      'distribution_confirmed',
      'distribution_expired',
      ...KNOWN,
    ],
  },
  getDistributionPage: {
    ...FREE,
    method: 'get',
    path: '/rewards/{order_id}',
    group: 'Rewards',
    summary: 'A reward for people',
    description: 'A page; JSON with Accept: application/json, a live stream with text/event-stream.',
    parameters: ['order_id'],
    request: null,
    success: distributionAnswer,
    answerExample: DISTRIBUTION_EXAMPLE,
    errors: ['distribution_not_found', ...TRANSPORT],
    unavailable: null,
    otherTypes: ['text/html', 'text/event-stream'],
  },
  getDistributionShares: {
    ...FREE,
    method: 'get',
    path: '/rewards/{order_id}/shares.csv',
    group: 'Rewards',
    summary: 'The shares of a reward as a table',
    description: 'Comma-separated values.',
    parameters: ['order_id'],
    request: null,
    success: null,
    answerExample: null,
    errors: ['distribution_not_found', ...TRANSPORT],
    unavailable: null,
    otherTypes: ['text/csv'],
  },
} as const satisfies Record<string, CatalogRow>;
