import { expect, test } from 'vitest';
import { formatOtherMoney, worthIn } from '../../../core/grammar/rates.ts';
import { microUsdc } from '../../../core/money.ts';

test.each([
  ['EUR', 1_000_000n, '1.00 EUR'],
  ['EUR', 925_925n, '0.93 EUR'],
  ['EUR', 5_000n, '0.01 EUR'],
  ['EUR', 4_999n, '0.00 EUR'],
  ['EUR', 0n, '0.00 EUR'],
  ['EUR', 1_234_567_890_000n, '1234567.89 EUR'],
  ['JPY', 156_250_000n, '156 JPY'],
  ['JPY', 499_999n, '0 JPY'],
  ['JPY', 500_000n, '1 JPY'],
  ['KWD', 307_499n, '0.307 KWD'],
])('%s: %s millionths are %s', (currency, amount, text) => {
  expect(formatOtherMoney({ currency, amount: microUsdc(amount) })).toBe(text);
});

test('a sum is worth what its rate says, cut to a millionth', () => {
  expect(worthIn(microUsdc(1_000_000n), microUsdc(1_080_000n))).toBe(925_925n);
  expect(worthIn(microUsdc(9_007_199_254_740_993n), microUsdc(1_000_000n))).toBe(9_007_199_254_740_993n);
  expect(worthIn(microUsdc(1n), microUsdc(2_000_000n))).toBe(0n);
});
