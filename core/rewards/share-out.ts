import { PAYMENT_AMOUNT_MAX, PAYMENT_AMOUNT_MIN } from '../amounts.ts';
import { AppError } from '../errors.ts';
import { formatUsdc, microUsdc, type MicroUsdc } from '../money.ts';
import { apportion, apportionCapped } from './apportion.ts';
import { ENGAGEMENT_KINDS, type Engaged } from './engagement.ts';
import type { Weights } from './weights.ts';

/** Why a person who engaged gets nothing. Each person counts under the first reason that applies. */
export const LEFT_OUT_REASONS = [
  'author',
  'creator',
  'excluded',
  'opted_out',
  /** The account has no name, so it cannot be paid. */
  'nameless',
  /** Everything that the person did has weight 0. */
  'no_weight',
  /** Ranked below the largest number of recipients. */
  'max_recipients',
  /** With one more person a share would be below the smallest payment. */
  'share_too_small',
] as const;

export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

/** The user ids that the rules leave out. */
export type LeftOutPeople = Partial<
  Record<'author' | 'creator' | 'excluded' | 'opted_out' | 'nameless', ReadonlySet<string>>
>;

export type ShareOutInput = {
  budget: MicroUsdc;
  /** 1 to 100. */
  recipientsMax: number;
  weights: Weights;
  /** Each person once, in any order. */
  people: readonly Engaged[];
  leftOut: LeftOutPeople;
};

export type Share = {
  userId: string;
  /** 1 is the first. */
  rank: number;
  /** The recipient's part in millionths; the sum is 1,000,000. */
  weightMillionths: number;
  /** 0.01 to 10 USDC; the sum is the budget. */
  amount: MicroUsdc;
};

export type ShareOut = {
  /** By rank. */
  recipients: readonly Share[];
  /** In the order of the reasons; those that left out nobody are absent. */
  leftOut: readonly { reason: LeftOutReason; count: number }[];
};

/** The recipients of one payment. */
export const REWARD_RECIPIENTS_MAX = 100;
const WEIGHTS_TOGETHER = 1_000_000n;

/**
 * Shares a budget among as many of the engaged people as possible, by rank, so that each gets between the smallest and
 * the largest payment. Throws AppError `no_engagement`, `budget_too_small` or `budget_too_large`.
 */
export function shareOut({ budget, recipientsMax, weights, people, leftOut }: ShareOutInput): ShareOut {
  if (!Number.isInteger(recipientsMax) || recipientsMax < 1 || recipientsMax > REWARD_RECIPIENTS_MAX) {
    throw new Error(`expected 1 to ${REWARD_RECIPIENTS_MAX} recipients, found ${recipientsMax}`);
  }
  const counts = new Map<LeftOutReason, number>();
  const ranked = rank(people, weights, (person, weight) => {
    const reason = LEFT_OUT_REASONS.find((each) => isLeftOut(each, person, weight, leftOut));
    if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    return reason === undefined;
  });
  const paid = chooseRecipients(budget, ranked.slice(0, recipientsMax));
  counts.set('max_recipients', Math.max(0, ranked.length - recipientsMax));
  counts.set('share_too_small', Math.min(ranked.length, recipientsMax) - paid.length);
  return {
    recipients: paid,
    leftOut: LEFT_OUT_REASONS.map((reason) => ({ reason, count: counts.get(reason) ?? 0 })).filter(
      ({ count }) => count > 0,
    ),
  };
}

type Ranked = { userId: string; weight: bigint; earliestMs: number };

/** The largest number of people, from the first, for whom the budget works out. */
function chooseRecipients(budget: MicroUsdc, candidates: readonly Ranked[]): Share[] {
  if (candidates.length === 0) throw new AppError('no_engagement');
  const most = microUsdc(PAYMENT_AMOUNT_MAX * BigInt(candidates.length));
  if (budget > most) {
    const detail = `At most ${formatUsdc(most)} USDC can be shared out here: ${formatUsdc(PAYMENT_AMOUNT_MAX)} for each person who may be paid (${candidates.length}).`;
    throw new AppError('budget_too_large', { field: 'budget', detail });
  }
  for (let count = candidates.length; count > 0; count -= 1) {
    const weights = candidates.slice(0, count).map(({ weight }) => weight);
    const amounts = apportionCapped(budget, weights, PAYMENT_AMOUNT_MAX);
    if (amounts?.every((amount) => amount >= PAYMENT_AMOUNT_MIN)) return toShares(candidates, weights, amounts);
  }
  throw new AppError('budget_too_small', { field: 'budget' });
}

function toShares(candidates: readonly Ranked[], weights: readonly bigint[], amounts: readonly bigint[]): Share[] {
  const parts = apportion(WEIGHTS_TOGETHER, weights);
  return candidates.slice(0, amounts.length).map(({ userId }, index) => ({
    userId,
    rank: index + 1,
    weightMillionths: Number(parts[index]),
    amount: microUsdc(amounts[index] ?? 0n),
  }));
}

/** By weight, then by time, then by user id, so that no two people are equal. */
function rank(
  people: readonly Engaged[],
  weights: Weights,
  takesPart: (person: Engaged, weight: bigint) => boolean,
): Ranked[] {
  const ranked: Ranked[] = [];
  const seen = new Set<string>();
  for (const person of people) {
    const { userId, firstAtMs } = person;
    // A person who is listed twice would be paid twice.
    if (seen.has(userId)) throw new Error('expected each person once, found one twice');
    seen.add(userId);
    let weight = 0n;
    let earliestMs = Infinity;
    for (const kind of ENGAGEMENT_KINDS) {
      const atMs = firstAtMs[kind];
      // A kind without weight does not count for the rank either.
      if (atMs === undefined || weights[kind] === 0n) continue;
      weight += weights[kind];
      earliestMs = Math.min(earliestMs, atMs);
    }
    if (!takesPart(person, weight)) continue;
    ranked.push({ userId, weight, earliestMs });
  }
  return ranked.sort(compareRanks);
}

function compareRanks(a: Ranked, b: Ranked): number {
  if (a.weight !== b.weight) return a.weight > b.weight ? -1 : 1;
  if (a.earliestMs !== b.earliestMs) return a.earliestMs - b.earliestMs;
  // Ids are decimal text: the shorter one is the smaller number.
  if (a.userId.length !== b.userId.length) return a.userId.length - b.userId.length;
  return a.userId < b.userId ? -1 : 1;
}

function isLeftOut(reason: LeftOutReason, { userId }: Engaged, weight: bigint, leftOut: LeftOutPeople): boolean {
  switch (reason) {
    case 'no_weight':
      return weight === 0n;
    case 'max_recipients':
    case 'share_too_small':
      return false;
    case 'author':
    case 'creator':
    case 'excluded':
    case 'opted_out':
    case 'nameless':
      return leftOut[reason]?.has(userId) ?? false;
  }
}
