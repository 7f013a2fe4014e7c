import type { LeftOutReason } from '../../core/rewards/share-out.ts';
import type { DistributionState, WireStatus } from '../../core/states.ts';

const states: Record<DistributionState, string> = {
  pending: 'Waiting to be confirmed',
  confirming: 'Being paid right now',
  confirmed: 'Paid, and on its way to everybody',
  completed: 'Everybody has received their share',
  partial: 'Paid, and not everybody has their share yet',
  rejected: 'Rejected',
  expired: 'Not confirmed in time',
};

const statuses: Record<WireStatus, string> = {
  queued: 'on its way',
  pending_claim: 'waiting',
  paid: 'received',
  refunded: 'returned',
  held: 'held',
};

/** Behind a number. */
const counts: Record<WireStatus, string> = {
  paid: 'received',
  queued: 'on their way',
  pending_claim: 'to be collected',
  held: 'held',
  refunded: 'returned',
};

const reasons: Record<Exclude<LeftOutReason, 'share_too_small'>, string> = {
  author: 'Wrote the post',
  creator: 'Created this reward',
  excluded: 'Left out by whoever created it',
  opted_out: 'Want no payments',
  nameless: 'Have no name to be paid by',
  no_weight: 'Did nothing that counts here',
  max_recipients: 'Ranked behind as many as are paid',
};

/** What the page of a reward says. */
export const rewardPageEn = {
  people: (count: number): string => (count === 1 ? '1 person' : `${count} people`),
  title: (sum: string, people: string): string => `${sum} USDC for ${people}`,
  states,
  explain: {
    pending: (until: string, price: string): string =>
      `Nothing is paid yet. Whoever confirms it by ${until} pays ${price}.`,
    confirming: 'A payment for it is being sent.',
    completed: 'There is nothing left to do.',
    over: 'Nobody has paid, and nobody can any more.',
  },
  statuses,
  counts,
  reasons,
  tooSmall: (least: string): string => `Would get less than ${least} USDC`,
  rule: (like: string, comment: string, repost: string): string => `like ${like}, comment ${comment}, repost ${repost}`,
  percent: (number: string): string => `${number} %`,
  eyebrow: 'Reward for a post',
  forWhom: (people: string): string => `for ${people}`,
  whoGets: 'Who gets how much',
  by: (rule: string): string => `By what each did with the post: ${rule}, once each.`,
  shares: 'Shares',
  further: 'Further shares',
  more: (count: number): string => `${count} more`,
  details: 'Details',
  csv: 'All shares as CSV',
  somebody: 'somebody',
  what: (author: string, time: string): string => `What it is for: a post by ${author}, ${time}`,
  read: 'Read the post on Farcaster',
  who: 'Who',
  share: 'Share',
  state: 'State',
  receiptOf: (status: string, name: string): string => `${status}: receipt of ${name}`,
  leftOut: (count: number): string => `Left out: ${count}`,
  budget: 'Budget',
  andFee: (fee: string): string => `and ${fee} USDC fee`,
  created: 'Created',
  thisPage: 'This page',
  network: 'Network',
  paid: 'Paid',
  transaction: 'Transaction',
  explorer: 'See it on the chain',
  reloads: (seconds: number): string =>
    `This page loads itself again every ${seconds} seconds until everything is final.`,
};

export type RewardPageTexts = typeof rewardPageEn;
