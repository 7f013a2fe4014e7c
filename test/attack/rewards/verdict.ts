import { feeFor, microUsdc } from '../../../core/money.ts';
import type { Network } from '../../../core/networks.ts';
import type { RewardBooks, RewardRow } from './books.ts';
import type { Community } from './community.ts';
import type { RewardPlan } from './plan.ts';

/** What the service charges here on top of each reward: a fee that would be lost is seen only where there is one. */
export const FEE_BPS = 100;

/** What became of one reward, by the books, the chain and the chat. */
export type RewardOutcome = {
  plan: RewardPlan;
  /** Cards of this community in the books, and what became of the last one. */
  cards: number;
  status: RewardRow['status'] | null;
  /** Whether there is still something to do about it. */
  isOpen: boolean;
  /** Payments by the payer of this that have landed, by the books. */
  payments: number;
  /** By the payer of this, by the chain. */
  spent: bigint;
  /** Cards in the chat, and what those say that are over. */
  shown: number;
  ends: readonly string[];
};

/** What the chains say, which know nothing of our books. */
export type RewardChain = {
  /** By the plan's index. */
  spent: readonly bigint[];
  /** By network and name. */
  held: ReadonlyMap<string, bigint>;
};

export const holdingOf = (network: Network, name: string): string => `${network} ${name}`;

export function judgeRewards(
  plans: readonly RewardPlan[],
  communities: readonly Community[],
  books: RewardBooks,
  chain: RewardChain,
): RewardOutcome[] {
  return plans.map((plan, index): RewardOutcome => {
    const community = communities[index];
    const rows = books.rows.filter(({ walletId }) => walletId === community?.walletId);
    const last = rows.at(-1);
    return {
      plan,
      cards: rows.length,
      status: last?.status ?? null,
      isOpen: rows.some(({ nextLookAtMs }) => nextLookAtMs !== null),
      payments: books.landed.get(last?.payerAddress?.toLowerCase() ?? '') ?? 0,
      spent: chain.spent[index] ?? 0n,
      shown: community?.cardsShown() ?? 0,
      ends: community?.ends() ?? [],
    };
  });
}

const isOver = ({ cards, isOpen, shown, ends }: RewardOutcome): boolean =>
  cards === 1 && !isOpen && shown === 1 && ends.length === 1;

export const isPaidOnce = (outcome: RewardOutcome): boolean => {
  const { plan, status, payments, spent, ends } = outcome;
  const total = plan.budget + feeFor(plan.budget, FEE_BPS, microUsdc(0n));
  const said = new RegExp(`^Rewarded: .*\\n${plan.people.length} paid$`, 'm');
  const end = ends[0] ?? '';
  const isSaid = said.test(end) && !/Somebody else/.test(end) && /Paid by the link/.test(end) === (plan.way === 'link');
  return isOver(outcome) && status === 'paid' && payments === 1 && spent === total && isSaid;
};

/** Allowed only where a moderator rejected it: everything else was confirmed by enough, and there is money for it. */
export const isNotPaid = (outcome: RewardOutcome): boolean => {
  const { plan, status, payments, spent, ends } = outcome;
  const isRejected = plan.way === 'contest' && status === 'rejected' && /has rejected/.test(ends[0] ?? '');
  return isOver(outcome) && isRejected && payments === 0 && spent === 0n;
};

export const isExact = (outcome: RewardOutcome): boolean => isPaidOnce(outcome) || isNotPaid(outcome);

export const isSpentTwice = ({ plan, payments, spent }: RewardOutcome): boolean =>
  payments > 1 || spent > plan.budget + feeFor(plan.budget, FEE_BPS, microUsdc(0n));

export const isStuck = ({ isOpen, cards, ends }: RewardOutcome): boolean => isOpen || cards === 0 || ends.length === 0;

/**
 * Who has anything else on the chain than the shares of what was paid. What was shared out must be among those who were
 * meant, and make up the budget, so that a list that lies is noticed as well.
 */
export function findWrongPeople(outcomes: readonly RewardOutcome[], books: RewardBooks, chain: RewardChain): string[] {
  const due = new Map<string, bigint>();
  const wrong: string[] = [];
  for (const row of books.rows) {
    if (row.status !== 'paid') continue;
    const plan = outcomes.find(({ plan: { budget } }) => budget === row.budgetMicroUsdc)?.plan;
    const names = row.shares.map(({ username }) => username).toSorted();
    const sum = row.shares.reduce((all, { amountMicroUsdc }) => all + BigInt(amountMicroUsdc), 0n);
    if (plan === undefined || sum !== plan.budget || names.join() !== plan.people.toSorted().join()) {
      wrong.push(`${row.budgetMicroUsdc} was shared out as ${sum} to ${names.join()}`);
      continue;
    }
    for (const { username, amountMicroUsdc } of row.shares) {
      const key = holdingOf(plan.network, username);
      due.set(key, (due.get(key) ?? 0n) + BigInt(amountMicroUsdc));
    }
  }
  for (const [key, held] of chain.held) {
    const wanted = due.get(key) ?? 0n;
    if (held !== wanted) wrong.push(`${key} has ${held} and should have ${wanted}`);
  }
  return wrong;
}
