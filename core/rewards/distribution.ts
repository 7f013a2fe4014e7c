import type { MicroUsdc } from '../money.ts';
import type { REWARD_PLATFORM } from './engagement.ts';
import type { DistributionState, WireStatus } from '../states.ts';

/** How long somebody may confirm a distribution (contract, section 5). */
export const DISTRIBUTION_LIFE_MS = 24 * 3_600_000;

/** A recipient of a distribution, as previewed and as paid. */
export type FrozenShare = {
  /** The platform's stable id, by which the money goes. */
  userId: string;
  /** The name that the account went by; it is shown, and written on the payment's line. */
  username: string;
  /** Together 1,000,000. */
  weightMillionths: number;
  amount: MicroUsdc;
  /** Published by the person on that platform; null: none. */
  walletAddress: string | null;
};

/** A reward for a post. Nothing of it changes but whether somebody rejected it; see `distributionState`. */
export type Distribution = {
  id: string;
  platform: typeof REWARD_PLATFORM;
  contentId: string;
  postUrl: string;
  authorId: string;
  authorName: string | null;
  /** A stranger's text. */
  excerpt: string;
  publishedAtMs: number;
  budget: MicroUsdc;
  weights: { like: number; comment: number; repost: number };
  recipientsMax: number;
  /** By rank: the order of the payment's lines. */
  shares: readonly FrozenShare[];
  leftOut: readonly { reason: string; count: number }[];
  rejectedAtMs: number | null;
  createdAtMs: number;
  expiresAtMs: number;
};

const ORDER_PREFIX = 'distribution:';

/** What `purchases` knows a distribution by: whoever confirms it first takes it, whichever interface it came through. */
export function distributionOrderId(id: string): string {
  return ORDER_PREFIX + id;
}

/** Null for the order of something else. */
export function distributionOfOrder(orderId: string): string | null {
  return orderId.startsWith(ORDER_PREFIX) ? orderId.slice(ORDER_PREFIX.length) : null;
}

/** The payment that has the order and was not refused. */
export type Holder = {
  /** Its 200 is written: the money has come. */
  isAnswered: boolean;
  /** Of its lines. */
  statuses: readonly WireStatus[];
};

/**
 * Where a distribution is. It is read off its payment, so that no state of its own can disagree with what was paid; and
 * a payment decides before anything else, because it could take the order only while that was open.
 */
export function distributionState(
  { rejectedAtMs, expiresAtMs }: Pick<Distribution, 'rejectedAtMs' | 'expiresAtMs'>,
  holder: Holder | null,
  nowMs: number,
): DistributionState {
  if (holder !== null) return holder.isAnswered ? paidState(holder.statuses) : 'confirming';
  if (rejectedAtMs !== null) return 'rejected';
  return nowMs >= expiresAtMs ? 'expired' : 'pending';
}

/** `partial`: nothing is on its way any more, and somebody has not got his share (yet). */
function paidState(statuses: readonly WireStatus[]): DistributionState {
  if (statuses.some((status) => status === 'queued')) return 'confirmed';
  return statuses.every((status) => status === 'paid') ? 'completed' : 'partial';
}
