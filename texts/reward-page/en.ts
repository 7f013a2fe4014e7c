import { PAYMENT_AMOUNT_MIN } from '../../core/amounts.ts';
import type { Distribution } from '../../core/rewards/distribution.ts';
import { formatUsdc, formatUsdcForPeople, microUsdc, type MicroUsdc } from '../../core/money.ts';
import type { LeftOutReason } from '../../core/rewards/share-out.ts';
import type { DistributionState, WireStatus } from '../../core/states.ts';
import { receiptPageEn } from '../receipt-page/en.ts';

/** What the sentences of a reward's page need to know. `lines`: null before a payment settled. */
export type RewardPageFacts = {
  state: DistributionState;
  fee: MicroUsdc;
  lines: readonly { status: WireStatus }[] | null;
  distribution: Pick<Distribution, 'budget' | 'shares' | 'expiresAtMs' | 'weights'>;
};

/** What the page of a reward says. */
export const peopleOf = (count: number): string => (count === 1 ? '1 person' : `${count} people`);

export function titleOf({ distribution: { budget, shares } }: RewardPageFacts): string {
  return `${formatUsdcForPeople(budget)} USDC for ${peopleOf(shares.length)}`;
}

const STATES: Readonly<Record<DistributionState, string>> = {
  pending: 'Waiting to be confirmed',
  confirming: 'Being paid right now',
  confirmed: 'Paid, and on its way to everybody',
  completed: 'Everybody has received their share',
  partial: 'Paid, and not everybody has their share yet',
  rejected: 'Rejected',
  expired: 'Not confirmed in time',
};

/** The state in a few words. */
export function stateOf({ state }: RewardPageFacts): string {
  return STATES[state];
}

/** A second sentence beside it. */
export function explain({ state, distribution, fee, lines }: RewardPageFacts): string {
  switch (state) {
    case 'pending': {
      const price = `${formatUsdcForPeople(microUsdc(distribution.budget + fee))} USDC`;
      return `Nothing is paid yet. Whoever confirms it until ${receiptPageEn.minute(new Date(distribution.expiresAtMs))} pays ${price}.`;
    }
    case 'confirming':
      return 'Somebody’s payment is on its way to the chain.';
    case 'confirmed':
    case 'partial':
      return countsOf(lines ?? []);
    case 'completed':
      return 'There is nothing left to do.';
    case 'rejected':
    case 'expired':
      return 'Nobody has paid, and nobody can any more.';
  }
}

export const STATUS_WORDS: Readonly<Record<WireStatus, string>> = {
  queued: 'on its way',
  pending_claim: 'waits to be collected',
  paid: 'received',
  refunded: 'returned',
  held: 'held',
};

/** `38 received, 2 to be collected`; what nobody has is left out. */
function countsOf(lines: readonly { status: WireStatus }[]): string {
  const counted = (status: WireStatus) => lines.filter((line) => line.status === status).length;
  const parts = [
    [counted('paid'), 'received'],
    [counted('queued'), 'on their way'],
    [counted('pending_claim'), 'to be collected'],
    [counted('held'), 'held'],
    [counted('refunded'), 'returned'],
  ] as const;
  const words = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return `${words.join(', ')}.`;
}

const REASONS: Readonly<Record<LeftOutReason, string>> = {
  author: 'Wrote the post',
  creator: 'Created this reward',
  excluded: 'Left out by whoever created it',
  opted_out: 'Want no payments',
  nameless: 'Have no name to be paid by',
  no_weight: 'Did nothing that counts here',
  max_recipients: 'Ranked behind as many as are paid',
  share_too_small: `Would get less than ${formatUsdc(PAYMENT_AMOUNT_MIN)} USDC`,
};

/** Reasons are kept as text: one that is not known any more is shown as it stands. */
export function reasonOf(reason: string): string {
  const words: Readonly<Record<string, string>> = REASONS;
  return Object.hasOwn(words, reason) ? (words[reason] ?? reason) : reason;
}

/** `like 1, comment 2, repost 3` */
export function ruleOf({ distribution: { weights } }: RewardPageFacts): string {
  return `like ${weights.like}, comment ${weights.comment}, repost ${weights.repost}`;
}

/** `12.5 %`, one decimal at most. */
export function percentOf(weightMillionths: number): string {
  return `${Math.round(weightMillionths / 1_000) / 10} %`;
}
