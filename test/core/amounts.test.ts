import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePaymentAmount, PAYMENT_AMOUNT_MAX, PAYMENT_AMOUNT_MIN } from '../../core/amounts.ts';
import { findHidden } from '../../core/characters.ts';
import { AppError } from '../../core/errors.ts';
import { formatUsdc, microUsdc, type MicroUsdc } from '../../core/money.ts';
import { anyCharacter } from './any-character.ts';

const WANTED = 'wanted: 0.01 to 10 USDC with at most 6 decimals, such as 0.5 or "0.50"';

function attempt(value: unknown, field: string): MicroUsdc | AppError {
  try {
    return parsePaymentAmount(value, field);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function refusal(value: unknown): AppError {
  const outcome = attempt(value, 'receivers[3].amount');
  if (outcome instanceof AppError) return outcome;
  throw new Error(`${String(value)} was accepted, expected a refusal`);
}

test.each([
  [0.01, 10_000n],
  [10, 10_000_000n],
  [0.1, 100_000n],
  [1.000001, 1_000_001n],
  [JSON.parse('1e-2'), 10_000n],
  [JSON.parse('1.0'), 1_000_000n],
  ['0.01', 10_000n],
  ['10', 10_000_000n],
  ['10.000000', 10_000_000n],
  ['0.50', 500_000n],
])('%j is an amount', (value, micro) => {
  expect(parsePaymentAmount(value, 'amount')).toBe(micro);
});

test.each([
  [undefined, 'the amount is missing'],
  [null, 'the amount is null, not a number'],
  [true, 'the amount is a boolean, not a number'],
  [[1], 'the amount is a list, not a number'],
  [{}, 'the amount is an object, not a number'],
  ['', 'the amount is empty'],
  ['  ', 'the amount is empty'],
  [Number.NaN, 'the amount is not a finite number'],
  [Number.POSITIVE_INFINITY, 'the amount is not a finite number'],
  [0, '0 is too small'],
  [-0, '0 is too small'],
  [0.009, '0.009 is too small'],
  [0.009999999, '0.009999999 is too small'],
  [1e-7, '1e-7 is too small'],
  [10.01, '10.01 is too large'],
  [10.0000001, '10.0000001 is too large'],
  [1e30, '1e+30 is too large'],
  [-1, '-1 is negative'],
  [0.1 + 0.2, '0.30000000000000004 has more than 6 decimals'],
  [1.0000001, '1.0000001 has more than 6 decimals'],
  ['0.009', '"0.009" is too small'],
  ['10.000001', '"10.000001" is too large'],
  ['1.0000001', '"1.0000001" has more than 6 decimals'],
  ['0.0100000', '"0.0100000" has more than 6 decimals'],
  ['1e-2', '"1e-2" has an exponent'],
  ['1E0', '"1E0" has an exponent'],
  ['1,5', '"1,5" has a comma where a point is wanted'],
  ['-1', '"-1" is negative'],
  ['+1', '"+1" is not a plain decimal number'],
  ['.5', '".5" is not a plain decimal number'],
  ['5.', '"5." is not a plain decimal number'],
  ['01', '"01" is not a plain decimal number'],
  ['1 ', '"1 " is not a plain decimal number'],
  ['1\n', '"1U+000A" is not a plain decimal number'],
  ['0x1', '"0x1" is not a plain decimal number'],
  ['1_0', '"1_0" is not a plain decimal number'],
  ['１', '"１" is not a plain decimal number'],
  ['$1', '"$1" is not a plain decimal number'],
  ['NaN', '"NaN" is not a plain decimal number'],
])('%j is refused: %s', (value, problem) => {
  const error = refusal(value);
  expect(error.code).toBe('invalid_amount');
  expect(error.context).toEqual({ field: 'receivers[3].amount', detail: `${problem}; ${WANTED}` });
});

test('a value that JSON cannot hold is refused as well', () => {
  expect(refusal(1n).context.detail).toBe(`the amount is a bigint, not a number; ${WANTED}`);
});

test('every amount between the limits is read back exactly, as a number and as a string', () => {
  const amounts = fc.bigInt({ min: PAYMENT_AMOUNT_MIN, max: PAYMENT_AMOUNT_MAX }).map(microUsdc);
  fc.assert(
    fc.property(amounts, (amount) => {
      const text = formatUsdc(amount);
      expect(parsePaymentAmount(text, 'amount')).toBe(amount);
      expect(parsePaymentAmount(Number(text), 'amount')).toBe(amount);
    }),
  );
});

function isWithinLimits(outcome: MicroUsdc | AppError): boolean {
  if (!(outcome instanceof AppError)) return outcome >= PAYMENT_AMOUNT_MIN && outcome <= PAYMENT_AMOUNT_MAX;
  const { detail = '' } = outcome.context;
  return outcome.code === 'invalid_amount' && findHidden(detail) === null && detail.length < 600;
}

test('whatever comes is an amount between the limits or a short refusal without hidden characters', () => {
  const values = fc.oneof(fc.anything(), fc.double(), fc.string({ unit: anyCharacter, maxLength: 300 }));
  fc.assert(
    fc.property(values, (value) => {
      expect(isWithinLimits(attempt(value, 'amount'))).toBe(true);
    }),
  );
});
