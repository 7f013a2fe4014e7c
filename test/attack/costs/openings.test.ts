/** One recycled dollar: what it can take out of accounts on Solana that are opened at our cost, with each limit and without. */
import { describe, expect, test } from 'vitest';
import { placesFor } from '../../../core/costs/openings.ts';
import { judgeOpening } from '../../../worker/solana/accounts.ts';

const DAY_MS = 86_400_000;
const NOW_MS = 400 * DAY_MS;
const DOLLAR = 1_000_000n;

type Rules = { ageMinMs?: number; minMicroUsdc?: bigint; remembers?: boolean; opensForRefunds?: boolean };
/** `person`: null for money that goes back to its payer. */
type Cycle = { owner: string; person: string | null; sinceMs: number | null; sum: bigint };

/** How often an account is opened at our cost. Each is emptied and closed, and its rent taken, before the next. */
function opened(cycles: readonly Cycle[], rules: Rules): number {
  const { ageMinMs = 30 * DAY_MS, minMicroUsdc = DOLLAR, remembers = true, opensForRefunds = false } = rules;
  const accounts = { policy: 'min-amount' as const, minMicroUsdc, dailyMax: 200, ageMinMs };
  const before = new Set<string>();
  let count = 0;
  for (const { owner, person, sinceMs, sum } of cycles) {
    const known = opensForRefunds ? (person ?? owner) : person;
    const wanted = { owner, sum, payee: known === null ? null : { person: known, sinceMs, isKept: false } };
    const opening = judgeOpening({ accounts, now: () => NOW_MS }, wanted, before);
    if (opening === null) continue;
    count += 1;
    if (remembers) [opening.owner, opening.person].forEach((name) => before.add(name));
  }
  return count;
}

const tenTimes = (of: (index: number) => Partial<Cycle>): Cycle[] =>
  Array.from({ length: 10 }, (_, index) => ({
    owner: 'wallet',
    person: 'person',
    sinceMs: 0,
    sum: DOLLAR,
    ...of(index),
  }));

const ATTACKS: readonly { title: string; cycles: Cycle[]; most: number; without: Rules }[] = [
  {
    title: 'of the same wallet',
    cycles: tenTimes((index) => ({ person: `p${index}` })),
    most: 1,
    without: { remembers: false },
  },
  {
    title: 'of the same person',
    cycles: tenTimes((index) => ({ owner: `w${index}` })),
    most: 1,
    without: { remembers: false },
  },
  {
    title: 'of new names',
    cycles: tenTimes((index) => ({ owner: `w${index}`, person: `p${index}`, sinceMs: NOW_MS - DAY_MS })),
    most: 0,
    without: { ageMinMs: 0 },
  },
  {
    title: 'of names whose age nobody tells',
    cycles: tenTimes((index) => ({ owner: `w${index}`, person: `p${index}`, sinceMs: null })),
    most: 0,
    without: { ageMinMs: 0 },
  },
  {
    title: 'of payers who close their account and call the payment off',
    cycles: tenTimes((index) => ({ owner: `w${index}`, person: null })),
    most: 0,
    without: { opensForRefunds: true },
  },
  {
    title: 'of sums below the rent',
    cycles: tenTimes((index) => ({ owner: `w${index}`, person: `p${index}`, sum: 10_000n })),
    most: 0,
    without: { minMicroUsdc: 0n },
  },
];

describe.each(ATTACKS)('ten cycles $title', ({ cycles, most, without }) => {
  test('open no more accounts than they are owed', () => {
    expect(opened(cycles, {})).toBe(most);
  });

  test('CONTROL: without the limit each of them opens one', () => {
    expect(opened(cycles, without)).toBe(10);
  });
});

describe('wallets that are kept here, for as many new names as one likes', () => {
  const one = (account: string, isKept: boolean, sumMicroUsdc: bigint) => ({
    account,
    isKept,
    sumMicroUsdc,
    sinceMs: 0,
  });
  const waiting = [
    ...Array.from({ length: 40 }, (_, index) => one(`kept ${index}`, true, 9n * DOLLAR)),
    ...Array.from({ length: 6 }, (_, index) => one(`person ${index}`, false, DOLLAR)),
  ];
  const people = (kept: number) =>
    [...placesFor(waiting, { all: 8, kept })].filter((account) => account.startsWith('person')).length;

  test('leave the rest of the day to people with wallets of their own', () => {
    expect(people(2)).toBe(6);
  });

  test('CONTROL: without a share of their own they take all of it', () => {
    expect(people(8)).toBe(0);
  });
});
