import type { MicroUsdc } from '../money.ts';
import type { REWARD_PLATFORM } from './engagement.ts';
import type { DistributionState, WireStatus } from '../states.ts';

/** How long a distribution can be confirmed. */
export const DISTRIBUTION_LIFE_MS = 24 * 3_600_000;

/** A recipient of a distribution, as previewed and as paid. */
export type FrozenShare = {
  /** The platform's stable id; the money goes to it. */
  userId: string;
  /** The account's name at that time, shown and written on the payment's line. */
  username: string;
  /** Together 1,000,000. */
  weightMillionths: number;
  amount: MicroUsdc;
  /** Published by the recipient on that platform; null: none. */
  walletAddress: string | null;
};

/** A reward for a post. Only its rejection changes it; see `distributionState`. */
export type Distribution = {
  id: string;
  platform: typeof REWARD_PLATFORM;
  contentId: string;
  postUrl: string;
  authorId: string;
  authorName: string | null;
  /** Written by a stranger. */
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

/** The id of a distribution in `purchases`: the first payer to confirm it takes it, over any interface. */
export function distributionOrderId(id: string): string {
  return ORDER_PREFIX + id;
}

/** Null for any other purchase. */
export function distributionOfOrder(orderId: string): string | null {
  return orderId.startsWith(ORDER_PREFIX) ? orderId.slice(ORDER_PREFIX.length) : null;
}

/** The payment that holds the distribution and was not refused. */
export type Holder = {
  /** Its 200 is stored: the money has come. */
  isAnswered: boolean;
  /** Of its lines. */
  statuses: readonly WireStatus[];
};

/**
 * The state of a distribution. It is derived from its payment, so that it cannot disagree with what was paid. A payment
 * decides first, because it could take the distribution only while that was open.
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

/** `partial`: nothing is on its way any more, and at least one recipient has not got their share (yet). */
function paidState(statuses: readonly WireStatus[]): DistributionState {
  if (statuses.some((status) => status === 'queued')) return 'confirmed';
  return statuses.every((status) => status === 'paid') ? 'completed' : 'partial';
}
