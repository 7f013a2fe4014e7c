import { describe, expect, test } from 'vitest';
import {
  afterRefusal,
  CHARGE_MOVES,
  CHARGE_OF,
  CHARGES,
  isFresh,
  isPast,
  type AfterRefusal,
  type ChargeState,
} from '../../../core/payments/charge.ts';
import { ORDER_MOVES, PAY_LINK_MOVES, REWARD_MOVES } from '../../../core/states.ts';

const EXPIRED = { reason: 'payment_expired', isUnclaimed: true };
const REPLACED = { reason: 'invalid_exact_svm_fee_payer_mismatch', isUnclaimed: true };
const POOR = { reason: 'insufficient_funds', isUnclaimed: true };
const BAD_FORM = { reason: 'invalid_receiver', isUnclaimed: false };

const GIVE_UP: AfterRefusal = { do: 'give_up' };
const fail = (reason: string): AfterRefusal => ({ do: 'fail', reason });

describe('after a refusal', () => {
  test.each<[keyof typeof CHARGES, typeof EXPIRED, boolean | null, boolean, AfterRefusal]>([
    ['order', EXPIRED, true, true, GIVE_UP],
    ['order', EXPIRED, true, false, fail('took_too_long')],
    ['order', EXPIRED, false, true, { do: 'wait' }],
    ['order', EXPIRED, null, true, fail('payment_expired')],
    ['order', REPLACED, true, true, GIVE_UP],
    ['order', REPLACED, true, false, fail('took_too_long')],
    ['order', REPLACED, false, true, { do: 'wait' }],
    ['order', REPLACED, null, true, fail(REPLACED.reason)],
    ['order', POOR, true, true, fail('insufficient_funds')],
    ['reward', EXPIRED, true, true, GIVE_UP],
    ['reward', EXPIRED, false, true, { do: 'wait' }],
    ['reward', REPLACED, true, true, GIVE_UP],
    ['reward', REPLACED, false, true, { do: 'wait' }],
    ['rewardLink', POOR, null, false, GIVE_UP],
    ['payLink', BAD_FORM, false, true, GIVE_UP],
    ['commandLine', POOR, true, true, GIVE_UP],
    ['commandLine', POOR, false, true, fail('insufficient_funds')],
    ['commandLine', BAD_FORM, true, true, fail('invalid_receiver')],
  ])('%s: %o, over: %s, fresh: %s', (kind, refusal, isOver, fresh, next) => {
    expect(afterRefusal(CHARGES[kind], refusal, { isOver, isFresh: fresh })).toEqual(next);
  });
});

test('an order is fresh for a quarter of an hour, and never where nobody agreed to it', () => {
  expect([0, 899_999, 900_000].map((ageMs) => isFresh(CHARGES.order, 0, ageMs))).toEqual([true, true, false]);
  expect(isFresh(CHARGES.order, null, 0)).toBe(false);
  expect(isFresh(CHARGES.commandLine, null, 0)).toBe(true);
});

test('a header is over by the time of its own network only', () => {
  const onBase = { validBefore: 100, lastValidHeight: null };
  const onSolana = { validBefore: null, lastValidHeight: 100 };
  expect([100, 101].map((nowSeconds) => isPast(onBase, { nowSeconds }))).toEqual([false, true]);
  expect([100, 101].map((finalHeight) => isPast(onSolana, { finalHeight }))).toEqual([false, true]);
  expect(isPast(onBase, { finalHeight: 101 })).toBe(false);
  expect(isPast(onSolana, { nowSeconds: 101 })).toBe(false);
});

const MOVES: Record<keyof typeof CHARGE_OF, Record<string, readonly string[]>> = {
  order: ORDER_MOVES,
  reward: REWARD_MOVES,
  payLink: PAY_LINK_MOVES,
};

test.each(Object.entries(CHARGE_OF))('each move of a %s is a move of a charge, or none', (kind, states) => {
  const stateOf: Record<string, ChargeState> = states;
  const moves = Object.entries(MOVES[kind as keyof typeof CHARGE_OF]).flatMap(([from, tos]) =>
    tos.map((to) => [stateOf[from]!, stateOf[to]!] as const),
  );
  const allowed: Record<ChargeState, readonly ChargeState[]> = CHARGE_MOVES;
  expect(moves.filter(([from, to]) => from !== to && !allowed[from].includes(to))).toEqual([]);
});
