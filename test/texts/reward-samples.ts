import type { RewardFacts, rewardsEn } from '../../texts/rewards/en.ts';
import type { RewardProblem } from '../../texts/rewards/problem.ts';
import { microUsdc, type MicroUsdc } from '../../core/money.ts';

const usdc = (cents: number): MicroUsdc => microUsdc(BigInt(cents) * 10_000n);
const top = Array.from({ length: 10 }, (_, index) => ({ name: 'zqname'.padEnd(40, 'e'), amount: usdc(641 + index) }));
const facts: RewardFacts = {
  by: 'zqby',
  author: 'zqauthor',
  budget: usdc(317),
  fee: usdc(23),
  costMax: usdc(4),
  count: 57,
  weights: { like: 1, comment: 2, repost: 3 },
  top,
  leftOut: 'author creator excluded opted_out nameless no_weight max_recipients share_too_small'
    .split(' ')
    .map((reason) => ({ reason, count: 37 })),
};
const few: RewardFacts = { ...facts, fee: usdc(0), costMax: usdc(0), count: 1, top: top.slice(0, 1), leftOut: [] };
const confirmed = ['zqfirst', 'zqsecond'];
const REASONS = [
  'content_not_found',
  'no_engagement',
  'budget_too_small',
  'budget_too_large',
  'insufficient_funds',
  'receiver_opted_out',
  'distribution_expired',
  'distribution_rejected',
  'took_too_long',
  'service_paused',
  'service_closing',
  'unreachable',
  'zqreason',
];
const PROBLEMS: RewardProblem[] = [
  { code: 'elsewhere' },
  { code: 'small_group' },
  { code: 'nothing_said' },
  { code: 'unreadable', found: 'zqfound' },
  { code: 'not_a_post', found: 'zqfound' },
  { code: 'not_a_name', found: 'zqfound' },
  { code: 'budget', found: 'zqfound' },
  { code: 'not_decider' },
  { code: 'standing_unknown' },
  { code: 'busy' },
  { code: 'nothing_open' },
  { code: 'card_over' },
  { code: 'being_paid' },
  { code: 'own', at: null },
  { code: 'own', at: new Date('2026-11-21T23:59:00Z') },
  ...REASONS.map((reason) => ({ code: 'refused', reason }) as const),
  { code: 'unreachable' },
  { code: 'missing', needed: usdc(641), most: usdc(317) },
  { code: 'balance_unknown' },
];

/** As `texts-samples.ts`, of rewards. */
export const REWARD_SAMPLES: {
  readonly [Key in keyof typeof rewardsEn]: readonly Readonly<Parameters<(typeof rewardsEn)[Key]>>[];
} = {
  rewardAsk: [
    [facts, { needed: 2, confirmed }],
    [few, { needed: 1, confirmed: [] }],
  ],
  rewardConfirm: [[1, 2]],
  rewardReject: [[]],
  rewardPage: [[]],
  rewardCsv: [[]],
  rewardTell: [[]],
  rewardTelling: [['@zqfirst @zqsecond', 'zqauthor']],
  rewardPost: [[]],
  rewardPaying: [[facts]],
  rewardPaid: [
    [facts, null],
    [facts, { paid: 31, onTheWay: 32, waiting: 33, held: 34, refunded: 35 }],
  ],
  rewardPaidElsewhere: [[]],
  rewardPaidByLink: [[]],
  rewardUnfunded: [[]],
  rewardRejected: [[facts, 'zqother']],
  rewardExpired: [[facts]],
  rewardUnpaid: [[facts]],
  rewardReplaced: [[facts, 'zqother']],
  rewardFailed: REASONS.map((reason) => [facts, reason]),
  rewardProblem: PROBLEMS.map((problem) => [problem]),
};
