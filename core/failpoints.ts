import type { Network } from './networks.ts';

/**
 * Points of the payment and payout path at which a test can kill the process: before and after each write, and after
 * each broadcast. A restart from any of them must end with exactly one charge and one payout.
 */
export const FAILPOINTS = [
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
  'receipt.before-post',
  'receipt.after-post',
] as const;

/** The same for a task that is paid by a plain transfer. */
export const TASK_FAILPOINTS = [
  'task.before-match',
  'task.after-match',
  'sweep.before-store',
  'sweep.after-store',
  'sweep.after-send',
] as const;

/**
 * The same for a command in a chat, from its event to the last message about it. Its payment passes the points above as
 * well.
 */
export const BOT_FAILPOINTS = [
  'order.before-store',
  'order.after-store',
  'order.after-price',
  'order.after-sign',
  'order.after-answer',
  'order.before-end',
  'order.after-end',
] as const;

/**
 * The same for a drop and for a bill, until an order pays them, and for what members choose in a group: whom they block, and
 * whether they are listed. From there they pass the points of a command. A drop's order is stored between
 * `order.before-store` and `order.after-store`.
 */
export const GROUP_FAILPOINTS = [
  'drop.before-store',
  'drop.after-store',
  'share.before-store',
  'share.after-store',
  'drop.after-close',
  'bill.before-store',
  'bill.after-store',
  'bill.before-agree',
  'bill.after-agree',
  'block.before-store',
  'block.after-store',
  'top.before-store',
  'top.after-store',
] as const;

/**
 * The same for a pay link, from the order that waits for it to the order's end. Its payment passes the points of tasks
 * or those of payments as well.
 */
export const LINK_FAILPOINTS = [
  'link.after-store',
  'link.before-show',
  'link.after-show',
  'link.after-open',
  'link.after-keep',
  'link.before-present',
  'link.after-present',
  'link.after-answer',
  'link.after-refusal',
  'link.after-end',
] as const;

/**
 * The same for a reward that a community pays for, from the last confirmation it needs to the last message about it.
 */
export const REWARD_FAILPOINTS = [
  'reward.after-confirm',
  'reward.after-price',
  'reward.after-sign',
  'reward.before-present',
  'reward.after-answer',
  'reward.after-paid',
  'reward.before-end',
  'reward.after-end',
] as const;

/**
 * The same for a reward that a visitor pays by the card's link; from `reward.before-present` on it passes the points
 * above.
 */
export const REWARD_LINK_FAILPOINTS = [
  'reward.before-link',
  'reward.after-link',
  'reward.before-reopen',
  'reward.after-reopen',
] as const;

/** The same for a wallet that is emptied while the service ends. Its withdrawal goes the way of any other. */
export const CLOSING_FAILPOINTS = ['closing.before-request', 'closing.after-request', 'closing.after-seen'] as const;

/** The same for what is told to a payer's endpoint. */
export const EVENT_FAILPOINTS = ['event.before-send', 'event.after-send'] as const;

export type Failpoint =
  | (typeof CLOSING_FAILPOINTS)[number]
  | (typeof EVENT_FAILPOINTS)[number]
  | (typeof FAILPOINTS)[number]
  | (typeof TASK_FAILPOINTS)[number]
  | (typeof BOT_FAILPOINTS)[number]
  | (typeof GROUP_FAILPOINTS)[number]
  | (typeof LINK_FAILPOINTS)[number]
  | (typeof REWARD_FAILPOINTS)[number]
  | (typeof REWARD_LINK_FAILPOINTS)[number];

/**
 * What passes a point. One object goes through all points of a step, so that the time between two is known. It has ids and
 * a network only, because traces carry it to another machine (service/tracing/).
 */
export type Passage = {
  /** When the work began that leads to the first point. */
  sinceMs: number;
  network: Network;
  carrier?: string;
  payments?: readonly string[];
  transfers?: readonly string[];
  /** By their `txn_id`. */
  lines?: readonly number[];
};

/** Without a passage the point is one for tests only. */
export type PassPoint = (name: Failpoint, passage?: Passage) => void;
