import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSeedWords, toSeedWords } from '../../chain/seed-words.ts';

const seedOf = (hex: string) => Buffer.from(hex.repeat(32), 'hex');

describe('the words of a seed', () => {
  // The vectors of BIP-39 (trezor/python-mnemonic, vectors.json) for 256 bits.
  test.each([
    ['00', `${'abandon '.repeat(23)}art`],
    ['ff', `${'zoo '.repeat(23)}vote`],
    [
      '7f',
      `${'legal winner thank year wave sausage worth useful '.repeat(2)}legal winner thank year wave sausage worth title`,
    ],
  ])('are those of the standard for 32 bytes of %s', (byte, words) => {
    expect(toSeedWords(seedOf(byte)).join(' ')).toBe(words);
  });

  test('give back every seed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (seed) => {
        const read = readSeedWords(toSeedWords(seed).join(' '));
        expect(read).toEqual({ kind: 'seed', seed });
      }),
    );
  });

  test('are read as people write them', () => {
    const words = toSeedWords(seedOf('7f'));
    const asWritten = words.map((word, index) => `${index + 1}. ${word.toUpperCase()}`).join('\n');
    expect(readSeedWords(`  ${asWritten}\n`)).toMatchObject({ kind: 'seed' });
  });
});

describe('what is refused says where, and never with the word', () => {
  const words = toSeedWords(seedOf('7f'));
  const swapped = [words[1], words[0], ...words.slice(2)].join(' ');
  test.each([
    ['23 words', words.slice(1).join(' '), { kind: 'wrong-count', found: 23 }],
    ['nothing', '', { kind: 'wrong-count', found: 0 }],
    ['a word of no list', words.with(6, 'pennypost').join(' '), { kind: 'unknown-word', place: 7 }],
    ['two that changed places', swapped, { kind: 'wrong-checksum' }],
    ['another last word', words.with(23, 'abandon').join(' '), { kind: 'wrong-checksum' }],
  ])('%s', (_title, text, problem) => {
    expect(readSeedWords(text)).toEqual(problem);
  });

  test('a seed of another length has no words', () => {
    expect(() => toSeedWords(new Uint8Array(16))).toThrow('32 bytes, found 16');
  });
});
