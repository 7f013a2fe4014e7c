import {
  BOT_FAILPOINTS,
  GROUP_FAILPOINTS,
  LINK_FAILPOINTS,
  REWARD_FAILPOINTS,
  REWARD_LINK_FAILPOINTS,
  TASK_FAILPOINTS,
  type Failpoint,
} from '../../core/failpoints.ts';

/** Where each torture kills; the points of other ways are those that its money passes as well. */
export const CHAT_POINTS = [
  ...BOT_FAILPOINTS,
  'receipt.before-post',
  'receipt.after-post',
] as const satisfies readonly Failpoint[];

/** Of drops and bills; what pays them goes the way of a command. */
export const GROUP_POINTS = [...GROUP_FAILPOINTS, ...CHAT_POINTS] as const satisfies readonly Failpoint[];

export const LINK_POINTS = [
  ...LINK_FAILPOINTS,
  ...TASK_FAILPOINTS,
  'accept.after-claim',
  'settle.after-send',
  'scan.after-apply',
  'order.after-end',
  'payout.after-send',
  'receipt.after-post',
] as const satisfies readonly Failpoint[];

export const REWARD_POINTS = [
  ...REWARD_FAILPOINTS,
  ...REWARD_LINK_FAILPOINTS,
  'accept.before-claim',
  'accept.after-claim',
  'settle.before-store',
  'settle.after-store',
  'settle.after-send',
  'scan.before-apply',
  'scan.after-apply',
  'payout.before-assign',
  'payout.after-assign',
  'payout.before-store',
  'payout.after-store',
  'payout.after-send',
] as const satisfies readonly Failpoint[];

/** What collects, what sends on and what is taken out; a page stores its order at none. */
export const PURSE_POINTS = [
  'order.after-price',
  'order.after-sign',
  'order.after-answer',
  'order.before-end',
  'order.after-end',
  'accept.before-claim',
  'accept.after-claim',
  'settle.before-store',
  'settle.after-store',
  'settle.after-send',
  'scan.before-apply',
  'scan.after-apply',
  'payout.before-assign',
  'payout.after-assign',
  'payout.before-store',
  'payout.after-store',
  'payout.after-send',
] as const satisfies readonly Failpoint[];

export const SOLANA_POINTS = [
  'payout.before-store',
  'payout.after-store',
  'payout.after-send',
  'scan.before-apply',
  'scan.after-apply',
] as const satisfies readonly Failpoint[];
