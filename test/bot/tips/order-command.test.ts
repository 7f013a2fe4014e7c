import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commandOf, tipCommand } from '../../../bot/tips/order-command.ts';
import { wordsOfTip } from '../../../bot/tips/order-placing.ts';
import { parseCommand } from '../../../core/grammar/command.ts';
import type { Tip } from '../../../core/grammar/tip.ts';
import { microUsdc, sumUsdc } from '../../../core/money.ts';

const rates = new Map([['EUR', microUsdc(1_080_000n)]]);
const amounts = fc.bigInt({ min: 10_001n, max: 10_000_000n }).map(microUsdc);
/** Three decimals, as rates give them. */
const thousandths = fc.bigInt({ min: 11n, max: 10_000n }).map((value) => microUsdc(value * 1_000n));

/** Notes that would be read with the sum. */
const NOTES = [
  'euros',
  'k',
  'coffee',
  'total',
  'each',
  'cents',
  'per week',
  'no wait',
  'fifty',
  'month of help',
  'TRY',
  '3',
];

function readTip(text: string): Tip {
  const command = parseCommand(text, { rates });
  if (command.kind !== 'tip') throw new Error(`${text} is no tip`);
  return command;
}

describe('a command that we write', () => {
  test('is read as the tip that it was written for', () => {
    const tip = readTip('/tip x:alice 1,55 €');
    expect(readTip(tipCommand(wordsOfTip(tip)) ?? '').amount).toEqual({ kind: 'exact', amount: 1_674_000n });
    fc.assert(
      fc.property(fc.oneof(amounts, thousandths), (amount) => {
        const command = tipCommand(wordsOfTip({ ...tip, amount: { kind: 'exact', amount } })) ?? '';
        expect(readTip(command).amount).toEqual({ kind: 'exact', amount });
      }),
      { numRuns: 600 },
    );
  });

  test.each(NOTES)('keeps the note %s apart from its sum', (note) => {
    const tip = readTip(`/tip x:alice 5 note: ${note}`);
    const both: Tip = { ...tip, recipients: [...tip.recipients, ...readTip('/tip x:bob 5').recipients] };
    for (const one of [tip, both]) {
      const read = readTip(tipCommand(wordsOfTip(one)) ?? '');
      expect(read).toMatchObject({ amount: tip.amount, sharing: 'each', note });
    }
  });

  test('makes an order again, for each or split', () => {
    fc.assert(
      fc.property(fc.oneof(amounts, thousandths), fc.boolean(), (amount, isEqual) => {
        const parts = [amount, isEqual ? amount : microUsdc(amount - 1n)];
        const receivers = parts.map((_, at) => ({ receiver: `n${at}` }));
        const lines = parts.map((part) => ({ recipient: 'x:n', amountMicroUsdc: part.toString() }));
        const order = { route: '/payments/x/batch-pay', body: { receivers }, lines, amountMicroUsdc: 0n };
        const tip = readTip(commandOf(order) ?? '');
        const total = isEqual ? amount : sumUsdc(parts);
        expect(tip.amount).toEqual({ kind: 'exact', amount: total });
      }),
      { numRuns: 200 },
    );
  });
});
