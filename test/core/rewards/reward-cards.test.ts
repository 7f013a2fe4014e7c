import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  countConfirmations,
  isSmall,
  OWN_REWARD_WAIT_MS,
  quorumOf,
  REWARD_CARD_MS,
} from '../../../core/rewards/reward-cards.ts';
import { REWARD_MOVES, REWARD_STATES } from '../../../core/states.ts';

const CREATED_MS = 1_000_000;
const card = fc.record({
  proposedBy: fc.constantFrom('a', 'b'),
  budgetMicroUsdc: fc.oneof(fc.constantFrom(10_000_000n, 10_000_001n), fc.bigInt(10_000n, 1_000_000_000n)),
  createdAtMs: fc.constant(CREATED_MS),
  expiresAtMs: fc.constant(CREATED_MS + REWARD_CARD_MS),
});
const moderators = fc.record({ isOneEnough: fc.boolean(), isLone: fc.boolean() });
const confirmations = fc.array(
  fc.record({
    userId: fc.constantFrom('a', 'b', 'c'),
    confirmedAtMs: fc.integer({ min: CREATED_MS - 5, max: CREATED_MS + 2 * OWN_REWARD_WAIT_MS }),
  }),
  { maxLength: 6 },
);

test('the proposer of a reward counts only when alone, up to 10 USDC, and after ten minutes', () => {
  fc.assert(
    fc.property(card, moderators, confirmations, (one, who, said) => {
      const without = said.filter(({ userId }) => userId !== one.proposedBy);
      const adds = countConfirmations(one, who, said) - countConfirmations(one, who, without);
      const late = said.some(
        ({ userId, confirmedAtMs }) => userId === one.proposedBy && confirmedAtMs - CREATED_MS >= OWN_REWARD_WAIT_MS,
      );
      expect(adds).toBe(who.isLone && one.budgetMicroUsdc <= 10_000_000n && late ? 1 : 0);
    }),
  );
});

test('nobody counts twice, and nobody before the card or after its day', () => {
  fc.assert(
    fc.property(card, moderators, confirmations, (one, who, said) => {
      const others = said.filter(
        ({ userId, confirmedAtMs }) => userId !== one.proposedBy && confirmedAtMs >= CREATED_MS,
      );
      const counted = countConfirmations({ ...one, budgetMicroUsdc: 10_000_001n }, who, said);
      expect(counted).toBe(new Set(others.map(({ userId }) => userId)).size);
      expect(countConfirmations({ ...one, expiresAtMs: CREATED_MS }, who, said)).toBe(0);
    }),
  );
});

test.each([
  [10_000_000n, false, 1],
  [10_000_001n, false, 2],
  [10_000_001n, true, 1],
  [10_000n, false, 1],
] as const)('%s micro-USDC, one being enough: %s, need %s', (budgetMicroUsdc, isOneEnough, quorum) => {
  expect(quorumOf({ budgetMicroUsdc }, { isOneEnough, isLone: false })).toBe(quorum);
  expect(isSmall(budgetMicroUsdc)).toBe(budgetMicroUsdc <= 10_000_000n);
});

test('every move leads to a state; what is decided against is never signed for, but others may have paid it', () => {
  for (const [from, moves] of Object.entries(REWARD_MOVES)) {
    for (const to of moves) expect(REWARD_STATES).toContain(to);
    if (['rejected', 'expired', 'replaced', 'failed'].includes(from)) expect(moves).toEqual(['paid']);
    if (from === 'paid') expect(moves).toEqual([]);
  }
});
