import { z } from 'zod';
import type { Distribution, FrozenShare } from './distribution.ts';
import { microUsdc, toJsonAmount, type MicroUsdc } from '../money.ts';
import { WIRE_STATUSES, type DistributionState, type WireStatus } from '../states.ts';

/** A line in the answer of a batch, stored or rebuilt; lines are in the order of the recipients. */
const paidLine = z.object({
  txn_id: z.number(),
  receipt: z.string(),
  status: z.enum(WIRE_STATUSES),
  claim_url: z.string().optional(),
  expires_at: z.string().optional(),
});
const batchLines = z.object({ data: z.array(paidLine) });

export type PaidLine = z.infer<typeof paidLine>;

/** Reads the lines of a batch's answer that we made ourselves. */
export function paidLinesOf(answer: Record<string, unknown>): PaidLine[] {
  return batchLines.parse(answer).data;
}

/** What an answer adds to a distribution: its state, its price, and the payment that confirms it. */
export type Telling = {
  baseUrl: string;
  state: DistributionState;
  fee: MicroUsdc;
  payment: { id: string; network: string; transaction: string | null } | null;
  /** Null before a payment has settled. */
  lines: readonly PaidLine[] | null;
};

export const distributionPage = (baseUrl: string, id: string): string => `${baseUrl}/rewards/${id}`;

/** `data` of every answer about a distribution. */
export function distributionData(distribution: Distribution, telling: Telling): Record<string, unknown> {
  const { id, budget, shares, leftOut, weights } = distribution;
  const { baseUrl, state, fee, payment, lines } = telling;
  const page = distributionPage(baseUrl, id);
  return {
    id,
    status: state,
    platform: distribution.platform,
    content_id: distribution.contentId,
    budget: toJsonAmount(budget),
    fee: toJsonAmount(fee),
    total: toJsonAmount(microUsdc(budget + fee)),
    weights,
    max_recipients: distribution.recipientsMax,
    created_at: timeOf(distribution.createdAtMs),
    expires_at: timeOf(distribution.expiresAtMs),
    page,
    csv: `${page}/shares.csv`,
    post: {
      url: distribution.postUrl,
      author: distribution.authorName ?? distribution.authorId,
      author_id: distribution.authorId,
      text: distribution.excerpt,
      published_at: timeOf(distribution.publishedAtMs),
    },
    ...(payment === null
      ? {}
      : { settlement_attempt_id: payment.id, network: payment.network, transaction: payment.transaction }),
    recipients: shares.map((share, index) => recipientOf(share, lines?.[index])),
    left_out: leftOut.map(({ reason, count }) => ({ reason, count })),
    counts: lines === null ? null : countsOf(lines),
  };
}

function recipientOf({ username, userId, weightMillionths, amount, walletAddress }: FrozenShare, line?: PaidLine) {
  return {
    username,
    user_id: userId,
    weight: weightMillionths / 1_000_000,
    amount: toJsonAmount(amount),
    wallet_address: walletAddress,
    ...line,
  };
}

export function countsOf(lines: readonly Pick<PaidLine, 'status'>[]): Record<WireStatus, number> {
  const counts: Record<WireStatus, number> = { queued: 0, pending_claim: 0, paid: 0, refunded: 0, held: 0 };
  for (const { status } of lines) counts[status] += 1;
  return counts;
}

const timeOf = (ms: number): string => new Date(ms).toISOString();

/** It is paid for, however far its shares are. */
export function isPaidFor({ status }: { status: DistributionState }): boolean {
  return PAID_FOR.includes(status);
}

const PAID_FOR: readonly DistributionState[] = ['confirmed', 'completed', 'partial'];
