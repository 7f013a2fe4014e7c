import { PublicKey } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { fromBase58, toBase58 } from '../../../../chain/solana/messages/base58.ts';

const cases: [string, number[]][] = [
  ['nothing', []],
  ['zero', [0]],
  ['several zeros', [0, 0, 0]],
  ['a leading zero', [0, 1]],
  ['one byte', [57]],
  ['two characters', [58]],
  ['the highest bytes', Array.from({ length: 64 }, () => 255)],
];

test.each(cases)('%s comes back as it was', (_name, bytes) => {
  expect(fromBase58(toBase58(Uint8Array.from(bytes)), bytes.length)).toEqual(Uint8Array.from(bytes));
});

test('the text is what web3.js writes', () => {
  for (let index = 0; index < 100; index += 1) {
    const bytes = Uint8Array.from({ length: 32 }, (_, place) =>
      place < index % 5 ? 0 : (index * 31 + place * 17) % 256,
    );
    expect(toBase58(bytes)).toBe(new PublicKey(bytes).toBase58());
  }
});

describe('no bytes are read from', () => {
  test.each([
    ['another length', toBase58(Uint8Array.from([1, 2, 3])), 2],
    ['a zero too many', `1${toBase58(Uint8Array.from([1, 2, 3]))}`, 3],
    ['a letter that base58 leaves out', '0O', 1],
    ['a space', ' 2', 1],
    ['an emoji', '😀', 1],
    ['a text of a megabyte', '2'.repeat(1024 * 1024), 64],
  ])('%s', (_name, text, length) => {
    expect(fromBase58(text, length)).toBe(null);
  });
});
