import { expect, test } from 'vitest';
import { readCsv } from '../../../cli/paying/csv.ts';
import { batchOrder } from '../../../cli/paying/order.ts';

const names = (text: string) =>
  readCsv(text).lines.map(({ recipient: { platform, key }, amount }) => `${platform}:${key} ${amount}`);

test.each([
  ['recipient,amount\nx:alice,1\n', ['x:alice 1000000']],
  ['recipient,amount\nx:alice,1', ['x:alice 1000000']],
  ['\uFEFFrecipient,amount\r\nx:alice,1\r\n', ['x:alice 1000000']],
  ['recipient,amount\n\n  \nx:alice,1\n\n\n', ['x:alice 1000000']],
  [
    'platform,receiver,amount\ngithub,octocat,0.5\nemail,Alice@Example.com,0.25',
    ['code:octocat 500000', 'email:alice@example.com 250000'],
  ],
  ['Amount, Recipient\n0.01, https://x.com/alice', ['x:alice 10000']],
  ['recipient,amount\n"x:alice","1"\n', ['x:alice 1000000']],
  ['recipient,amount\rx:alice,1\r', ['x:alice 1000000']],
  ['recipient,amount\nx:alice,1\nx:alice,2', ['x:alice 1000000', 'x:alice 2000000']],
])('reads %j', (text, expected) => {
  expect(names(text)).toEqual(expected);
});

test('a description in quotes may hold commas, quotes and line ends', () => {
  const text = 'recipient,amount,description\nx:alice,1,"thanks, ""all""\nof you"\n';
  expect(readCsv(text).note).toBe('thanks, "all"\nof you');
});

test.each([
  ['', 1],
  ['recipient,amount\n', 1],
  ['x:alice,1\n', 1],
  ['recipient,amount,colour\nx:alice,1,red', 1],
  ['recipient,platform,receiver,amount\nx:alice,x,alice,1', 1],
  ['recipient,amount,amount\nx:alice,1,2', 1],
  ['platform,amount\nx,1', 1],
  ['recipient;amount\nx:alice;1', 1],
  ['recipient,amount\nx:alice,1\nx:bob', 3],
  ['recipient,amount\nx:alice,1,2', 2],
  ['recipient,amount\n\n\nx:al ice,1', 4],
  ['recipient,amount\nx:alice,0.001', 2],
  ['recipient,amount\nx:alice,11', 2],
  ['recipient,amount\nx:alice,1e0', 2],
  ['recipient,amount\nx:alice,$1', 2],
  ['recipient,amount\nx:alice,', 2],
  ['recipient,amount\nalice,1', 2],
  ['recipient,amount\nphoto:alice,1', 2],
  ['recipient,amount\n"x:alice,1', 2],
  ['recipient,amount\n"x:alice"b,1', 2],
  ['recipient,amount\nx:a"b,1', 2],
  ['recipient,amount,description\nx:alice,1,"two\nlines"\nx:bob,1,"two\nlines"\nx:carol,9999,', 6],
  ['recipient,amount,description\nx:alice,1,for tea\nx:bob,1,', 3],
])('refuses %j and names line %i', (text, line) => {
  expect(() => readCsv(text)).toThrow(new RegExp(`^Line ${line}: `));
});

test('a hundred lines are a payment, one more is refused with a word about splitting', () => {
  const table = (lines: number) =>
    `recipient,amount\n${Array.from({ length: lines }, (_, n) => `x:user${n},0.01`).join('\n')}`;
  expect(batchOrder(readCsv(table(100)).lines, null).sum).toBe(1_000_000n);
  expect(() => batchOrder(readCsv(table(101)).lines, null)).toThrow(
    expect.objectContaining({ next: expect.stringContaining('Split') }),
  );
});
