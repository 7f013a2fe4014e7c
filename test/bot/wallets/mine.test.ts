import { expect, test } from 'vitest';
import { moneyLines } from '../../../bot/wallets/mine.ts';
import { textsEn } from '../../../texts/en.ts';
import { usdc } from '../harness.ts';

const NOTHING = { waiting: usdc(0), received: usdc(0), sent: usdc(0) };

function said(amount: number | null, sums: Partial<typeof NOTHING>): string[] {
  const places = [{ place: 'Base', amount: amount === null ? null : usdc(amount) }] as never;
  const lines = moneyLines({ texts: textsEn } as never, { name: null, places, sums: { ...NOTHING, ...sums } });
  return lines.map((line) => line.map(({ text }) => text).join(''));
}

test('an empty wallet is not called empty where money waits', () => {
  expect(said(0, { waiting: usdc(1.5) })).toEqual([
    '1.50 USDC waits for you, and nothing else is here to spend yet. /claim collects it.',
  ]);
});

test.each([
  ['nothing at all', 0, {}, ['You have no money here yet. /deposit shows how to add some.']],
  ['both', 5, { waiting: usdc(1) }, ['You have 5.00 USDC.', '1.00 USDC more waits for you. /claim collects it.']],
  ['a past', 5, { received: usdc(2) }, ['You have 5.00 USDC.', 'So far you have received 2.00 and sent 0.00 USDC.']],
])('%s', (_what, amount, sums, wanted) => {
  expect(said(amount, sums)).toEqual(wanted);
});
