import { expect, test } from 'vitest';
import { readFont } from '../../../api/receipts/font.ts';

const FILES = ['literata-bold.ttf', 'inter-medium.ttf', 'inter-bold.ttf'];
/** Every character that a name, an amount or a sentence of ours can hold. */
const NEEDED = [
  ...Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCodePoint(0x20 + index)),
  '…',
  '¢',
  '’',
];

test.each(FILES)('%s has a glyph with a width for everything that a preview can say', (file) => {
  const font = readFont(file);
  expect(NEEDED.filter((character) => !font.has(character))).toEqual([]);
  for (const character of NEEDED) expect(font.widthOf(character, 100)).toBeGreaterThan(10);
});

test.each(FILES)('%s says what it lacks', (file) => {
  const font = readFont(file);
  expect(['漢', '😀', '\n', '\uFFFF'].filter((character) => font.has(character))).toEqual([]);
});

test('widths add up, grow with the size, and differ as letters do', () => {
  const font = readFont('inter-bold.ttf');
  expect(font.widthOf('ab', 50)).toBeCloseTo(font.widthOf('a', 50) + font.widthOf('b', 50));
  expect(font.widthOf('alice', 100)).toBeCloseTo(2 * font.widthOf('alice', 50));
  expect(font.widthOf('WW', 50)).toBeGreaterThan(2 * font.widthOf('ii', 50));
  expect(font.widthOf('', 50)).toBe(0);
});

test('a file that is no font is refused by name of what is missing', () => {
  expect(() => readFont('OFL.txt')).toThrow('the font has no table "head"');
});
