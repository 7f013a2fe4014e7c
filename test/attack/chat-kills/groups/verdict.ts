import type { GroupBooks } from './books.ts';
import { half, type GroupPlan } from './plan.ts';
import { REGULARS, type Screen } from './screen.ts';

/** What became of one group's drop and bill, by the chain, the books, and what its members see. */
export type GroupOutcome = {
  index: number;
  /** What has landed for both takers, and what should have; in order of size. */
  landed: readonly [first: readonly bigint[], second: readonly bigint[]];
  due: readonly [first: readonly bigint[], second: readonly bigint[]];
  /** One drop, and one request to each of two, each with an order that was told. */
  isTold: boolean;
  /** What the blocked one gave is back, once; nothing else of theirs was taken. */
  isReturned: boolean;
  /** The giver has thanked two, the second one, and the first nobody. */
  isListed: boolean;
};

const sorted = (sums: readonly bigint[]) => sums.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));

type Found = { books: GroupBooks; top: ReadonlyMap<string, number> };

export function judgeGroup({ index, drop, bill, tip }: GroupPlan, screen: Screen, { books, top }: Found): GroupOutcome {
  const landedFor = (member: 'first' | 'second') => sorted(books.landed.get(screen.userId(member)) ?? []);
  const drops = books.drops.get(screen.userId('giver')) ?? [];
  const bills = books.bills.get(screen.userId('first')) ?? [];
  const tips = books.tips.get(screen.userId('loud')) ?? [];
  const thanked = REGULARS.map((member) => top.get(screen.userId(member)) ?? 0);
  return {
    index,
    landed: [landedFor('first'), landedFor('second')],
    due: [sorted([half(drop), half(bill), half(bill)]), sorted([half(drop), tip])],
    isTold: drops.length === 1 && bills.length === 2 && [...drops, ...bills].every((isOver) => isOver),
    isReturned: tips.length === 1 && tips.every((status) => status === 'returning'),
    isListed: thanked.join() === '2,0,1',
  };
}

const count = (sums: readonly bigint[], sum: bigint) => sums.filter((one) => one === sum).length;

/** So much of it landed more often than it should have. */
function extra({ landed, due }: GroupOutcome, sum: bigint): number {
  return landed.reduce((all, sums, at) => all + Math.max(0, count(sums, sum) - count(due[at] ?? [], sum)), 0);
}

export const sharesTwice = (outcome: GroupOutcome): number => extra(outcome, outcome.due[1][0] ?? 0n);
export const billsTwice = (outcome: GroupOutcome): number => extra(outcome, outcome.due[0].at(-1) ?? 0n);

export const isExactGroup = ({ landed, due, isTold, isReturned, isListed }: GroupOutcome): boolean =>
  isTold && isReturned && isListed && landed.every((sums, at) => sums.join() === due[at]?.join());
